// Without an answer, people press again. The console repeats the request under the same key, so it is done
// once.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { api, Problem } from '../../web/console/src/api.ts'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { bookAt } from '../support/moves.ts'
import { call, consoleToken, useService } from '../support/service.ts'

const holdfast = await useService()

type Wire = (answer: { status: number; text: string }) => Response

const lost: Wire = () => {
  throw new TypeError('Failed to fetch')
}
const answered: Wire = ({ status, text }) => new Response(text || null, { status })
/** The response breaks off in the middle. */
const cut: Wire = ({ status, text }) => {
  let sent = false
  const pull = (controller: ReadableStreamDefaultController) => {
    if (sent) return controller.error(new TypeError('network error'))
    sent = true
    controller.enqueue(new TextEncoder().encode(text.slice(0, 10)))
  }
  return new Response(new ReadableStream({ pull }), { status })
}
const saying =
  (status: number, errorCode: string): Wire =>
  () =>
    new Response(JSON.stringify({ errors: [{ errorCode, message: '' }] }), { status })

/** The console's connection to the service, and what happens to the first calls. */
function wire(...first: Wire[]) {
  const calls: { address: string; name: string | undefined }[] = []
  const realFetch = fetch
  vi.stubGlobal('fetch', async (address: string, options: RequestInit = {}) => {
    // Files share globals: not a call of the console.
    if (!String(address).startsWith('/console/')) return realFetch(address, options)
    const { method, headers, body } = options
    const all: Record<string, string> = {
      ...(headers as Record<string, string>),
      authorization: `Bearer ${consoleToken}`,
    }
    calls.push({ address, name: all['idempotency-key'] })
    const fare = first.shift() ?? answered
    // Only calls whose response is lost have been processed.
    const isDone = fare === answered || fare === lost || fare === cut
    const answer = isDone ? await call(holdfast.app, method!, address, body, { headers: all }) : null
    return fare(answer ?? { status: 0, text: '' })
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return calls
}

const unanswered = expect.objectContaining({ status: 0 })

it('a walk-in is booked once, although the retry shows a conflict warning', async () => {
  const practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice)
  const calls = wire(lost)
  const { email } = newPerson()
  const book = (ignoreConflicts: boolean) =>
    api.post(
      `/providers/${practice.uuid}/appointments`,
      {
        resourceUuid: practice.resourceUuid,
        productUuid: practice.productUuid,
        start: '2030-01-07T10:00',
        end: '2030-01-07T10:30',
        customer: { name: 'Walt Inn', email },
      },
      { query: { ignoreConflicts, sendMails: true } },
    )
  await expect(book(false)).rejects.toEqual(unanswered)
  expect((await book(true)).people).toHaveLength(1)
  expect(calls[1]).toEqual(calls[0])
  expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
  // The first attempt is settled, so pressing again creates a second one.
  await expect(book(false)).rejects.toMatchObject({ code: 'conflict' })
  await book(true)
  expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'booked'])
  expect(new Set(calls.map(one => one.name)).size).toBe(3)
})

it('two that trade places do not trade back', async () => {
  const practice = await makePractice(holdfast.crm)
  await makeTimeslot(holdfast.crm, practice)
  const consumer = asConsumer(overApp(holdfast.app))
  const [first, second] = slotsOf(await consumer.list(practice.resourceUuid))
  const one = await bookAt(consumer, first!)
  const other = await bookAt(consumer, second!)
  wire(lost)
  const swap = () =>
    api.post(`/appointments/${one.appointment_uuid!}/swap`, { withUuid: other.appointment_uuid! })
  await expect(swap()).rejects.toEqual(unanswered)
  expect(Date.parse((await swap()).entry.start)).toBe(Date.parse(second!.start))
  expect(await mailKindsTo(holdfast, one.email)).toEqual(['booked', 'moved'])
})

describe('a Customer whose answer did not come', async () => {
  const practice = await makePractice(holdfast.crm)
  const add = (name: string) => api.post(`/providers/${practice.uuid}/customers`, { name })
  const count = async (name: string) => {
    const rows = await holdfast.query('select count(*)::int from customer where name = $1', [name])
    return rows[0].count as number
  }

  it.each([
    ['is lost', [lost]],
    ['breaks off', [cut]],
    ['is lost twice', [lost, lost]],
    ['is lost, and the second is still under way', [lost, saying(409, 'in-progress')]],
    ['is lost, and then the service is busy', [lost, saying(503, 'unavailable')]],
    ['is lost, and then it is asked too often', [lost, saying(429, 'too-many-requests')]],
    ['is lost, and then the login has expired', [lost, saying(401, 'login-required')]],
  ])('is made once where the answer %s', async (how, fares) => {
    wire(...fares)
    for (const _ of fares) await expect(add(how)).rejects.toBeInstanceOf(Problem)
    expect((await add(how)).name).toBe(how)
    expect(await count(how)).toBe(1)
  })

  it('is created once if the person logs in before pressing again', async () => {
    wire(lost, saying(401, 'login-required'), () => new Response(null, { status: 204 }))
    await expect(add('Logs In')).rejects.toEqual(unanswered)
    await expect(add('Logs In')).rejects.toMatchObject({ status: 401 })
    await api.post('/session/password', { email: 'ann@example.org', password: 'secret', code: null })
    await add('Logs In')
    expect(await count('Logs In')).toBe(1)
  })

  it('is another one when something else is sent', async () => {
    const calls = wire(lost)
    await expect(add('Ann Lost')).rejects.toEqual(unanswered)
    await add('Ann Found')
    expect(calls[1]!.name).not.toBe(calls[0]!.name)
  })

  it('is created again after another action: the first was seen and undone', async () => {
    wire(lost)
    await expect(add('Ann Twice')).rejects.toEqual(unanswered)
    const rows = await holdfast.query(`select uuid from customer where name = 'Ann Twice'`)
    await api.remove(`/customers/${rows[0].uuid}`)
    await add('Ann Twice')
    expect(await count('Ann Twice')).toBe(1)
  })
})
