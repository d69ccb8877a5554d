// Whoever gets no answer presses once more. The console sends the same again under the same name: it is done once.

import { expect, it, onTestFinished, vi } from 'vitest'
import { api } from '../../web/console/src/api.ts'
import { Attempts } from '../../web/console/src/attempts.ts'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { asConsumer, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { bookAt } from '../support/moves.ts'
import { call, consoleToken, useService } from '../support/service.ts'

const test = await useService()

/** The console's wire to the service, over which the answers to the first calls are lost. */
function losingAnswers(count: number) {
  let left = count
  const asked: { address: string; name: string | undefined }[] = []
  vi.stubGlobal('fetch', async (address: string, { method, headers, body }: RequestInit) => {
    const all: Record<string, string> = {
      ...(headers as Record<string, string>),
      authorization: `Bearer ${consoleToken}`,
    }
    asked.push({ address, name: all['idempotency-key'] })
    const { status, text } = await call(test.app, method!, address, body, { headers: all })
    if (left-- > 0) throw new TypeError('Failed to fetch')
    return new Response(text, { status })
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return asked
}

const unanswered = expect.objectContaining({ status: 0 })

it('a walk-in is booked once, though the page warns of it by then', async () => {
  const practice = await makePractice(test.crm)
  await makeTimeslot(test.crm, practice)
  const asked = losingAnswers(1)
  const { email } = newPerson()
  const attempts = new Attempts()
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
      { query: { ignoreConflicts, sendMails: true }, attempts },
    )
  await expect(book(false)).rejects.toEqual(unanswered)
  expect((await book(true)).people).toHaveLength(1)
  expect(asked[1]).toEqual(asked[0])
  expect(await mailKindsTo(test, email)).toEqual(['booked'])
  // It is settled. Whoever wants a second one gets it.
  await expect(book(false)).rejects.toMatchObject({ code: 'conflict' })
  await book(true)
  expect(await mailKindsTo(test, email)).toEqual(['booked', 'booked'])
  expect(new Set(asked.map(one => one.name)).size).toBe(3)
})

it('two that trade places do not trade back', async () => {
  const practice = await makePractice(test.crm)
  await makeTimeslot(test.crm, practice)
  const consumer = asConsumer(overApp(test.app))
  const [first, second] = slotsOf(await consumer.list(practice.resourceUuid))
  const one = await bookAt(consumer, first!)
  const other = await bookAt(consumer, second!)
  losingAnswers(1)
  const attempts = new Attempts()
  const swap = () =>
    api.post(
      `/appointments/${one.appointment_uuid!}/swap`,
      { withUuid: other.appointment_uuid! },
      { attempts },
    )
  await expect(swap()).rejects.toEqual(unanswered)
  expect(Date.parse((await swap()).entry.start)).toBe(Date.parse(second!.start))
  expect(await mailKindsTo(test, one.email)).toEqual(['booked', 'moved'])
})
