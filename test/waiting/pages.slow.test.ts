import { beforeEach, describe, expect, it } from 'vitest'
import { makePractice, setChannel } from '../support/build.ts'
import { bookingOf, form, newPerson, slotsOf } from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org', language: 'en' })
const { room, wait, bookAll, entry, offers, free, offerPath, linkIn, job, consumer, list } = waitingAt(
  holdfast,
  practice,
)
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

const get = (path: string) => consumer.send('GET', path)
const post = (path: string, fields: Record<string, string>) =>
  consumer.send('POST', path, new URLSearchParams(fields).toString(), { headers: form })

async function open() {
  const where = await room()
  await setChannel(holdfast, where.resourceUuid, { waitingList: true })
  return where
}

const joining = (email: string, fields: object = {}) => ({
  product_uuid: practice.productUuid,
  from: '2030-01-07',
  to: '2030-01-11',
  email,
  firstname: 'Ann',
  lastname: 'Able',
  locale: 'en',
  ...fields,
})

let people = 0
const address = () => `joiner${++people}@example.org`

describe('joining as a consumer', () => {
  it('counts once the link in the email is confirmed', async () => {
    const where = await open()
    const booked = await bookAll(where)
    const email = address()
    const joined = await consumer.send(
      'POST',
      `/resources/${where.resourceUuid}/waiting_list`,
      joining(email),
    )
    expect(joined.status).toBe(201)
    expect(joined.body.entry.state).toBe('UNCONFIRMED')
    await consumer.cancel(booked[0]!.cancelLink)
    await job()
    expect(await mailKindsTo(holdfast, email)).toEqual(['waiting-confirm'])
    expect(await free(where)).toEqual(['08:00'])
    const path = linkIn((await mailsTo(holdfast, email))[0]!.text, 'waiting')
    expect((await get(path)).text).toContain('Join the waiting list?')
    expect(await mailKindsTo(holdfast, email)).toEqual(['waiting-confirm'])
    const confirmed = await post(path, { answer: 'confirm' })
    expect(confirmed.status).toBe(200)
    expect((await get(path)).text).toContain('You’re on the waiting list')
    await job()
    expect(await mailKindsTo(holdfast, email)).toEqual(['waiting-confirm', 'offer'])
    expect(await free(where)).toEqual([])
  })

  it('needs the waiting list of the channel', async () => {
    const where = await room()
    const refused = await consumer.send(
      'POST',
      `/resources/${where.resourceUuid}/waiting_list`,
      joining(address()),
    )
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([403, 'channel-hidden'])
  })

  it('answers the same for a person who waits already, and keeps one entry', async () => {
    const where = await open()
    await bookAll(where)
    const email = address()
    const path = `/resources/${where.resourceUuid}/waiting_list`
    const answers = [
      await consumer.send('POST', path, joining(email)),
      await consumer.send('POST', path, joining(email)),
    ]
    expect(answers.map(one => [one.status, Object.keys(one.body.entry)])).toEqual([
      [201, ['state', 'leaveLink']],
      [201, ['state', 'leaveLink']],
    ])
    for (const { text } of await mailsTo(holdfast, email))
      await post(linkIn(text, 'waiting'), { answer: 'confirm' })
    const { body } = await holdfast.crm.get(`${list}?state=WAITING`)
    expect(
      body.entries.filter(
        (one: { resourceReferences: string[] }) => one.resourceReferences?.[0] === where.resource,
      ),
    ).toHaveLength(1)
  })

  it('cannot be confirmed with the link that joining returns, which only leaves', async () => {
    const where = await open()
    await bookAll(where)
    const email = address()
    const join = async () => {
      const path = `/resources/${where.resourceUuid}/waiting_list`
      const { body } = await consumer.send('POST', path, joining(email))
      return new URL(body.entry.leaveLink).pathname
    }
    const stateOf = async () => (await holdfast.crm.get(`${list}?limit=500`)).body.entries.at(-1).state
    const leaving = await join()
    for (const answer of ['confirm', 'change']) await post(leaving, { answer })
    expect((await get(leaving)).text).toContain('Check your inbox')
    expect(await stateOf()).toBe('UNCONFIRMED')
    await post(linkIn((await mailsTo(holdfast, email))[0]!.text, 'waiting'), { answer: 'confirm' })
    expect(await stateOf()).toBe('WAITING')

    // The same wish again, by someone who only knows the address.
    const stranger = await join()
    expect((await post(stranger, { answer: 'confirm' })).text).toContain('Check your inbox')
    expect((await get(leaving)).text).not.toContain('Change what you’re waiting for')
    await post(leaving, { answer: 'leave' })
    expect((await get(leaving)).text).toContain('You’ve left the waiting list')
  })

  it('tells what is wrong with a wish', async () => {
    const where = await open()
    const path = `/resources/${where.resourceUuid}/waiting_list`
    const wrong = async (fields: object) => {
      const { status, body } = await consumer.send('POST', path, joining(address(), fields))
      return [status, body.errors.map((one: { field: string }) => one.field)]
    }
    expect(await wrong({ from: '2030-02-30' })).toEqual([400, ['from']])
    expect(await wrong({ to: '2030-01-01' })).toEqual([400, ['to']])
    expect(await wrong({ timeFrom: '10:00', timeTo: '09:00' })).toEqual([400, ['timeTo']])
    expect(await wrong({ weekdays: [8] })).toEqual([400, ['weekdays[0]']])
    expect((await wrong({ product_uuid: 'none' }))[0]).toBe(404)
  })
})

describe('the pages', () => {
  it('join with a plain form', async () => {
    const where = await open()
    const page = await get(`/book/${where.resourceUuid}?lang=en&product=${practice.productUuid}`)
    expect(page.text).toContain('Join the waiting list')
    const before = await get(`/book/${where.resourceUuid}?lang=en`)
    expect(before.text).toContain('Join the waiting list')
    const path = `/book/${where.resourceUuid}/waiting?lang=en&product=${practice.productUuid}`
    expect((await get(path)).text).toContain('Tell us when you could come')
    const email = address()
    const wish = { from: '2030-01-07', to: '2030-01-11', weekdays: '1', firstname: 'Ann', lastname: 'Able' }
    expect((await post(path, { ...wish, email: 'nothing' })).status).toBe(400)
    // What can be booked at once is shown first.
    expect((await post(path, { ...wish, email })).text).toContain('available now')
    expect(await mailKindsTo(holdfast, email)).toEqual([])
    const done = await post(path, { ...wish, email, anyway: '1' })
    expect([done.status, done.text.includes('Check your inbox')]).toEqual([200, true])
    expect(await mailKindsTo(holdfast, email)).toEqual(['waiting-confirm'])
  })

  it('change and leave', async () => {
    const where = await open()
    await bookAll(where)
    const email = address()
    await consumer.send('POST', `/resources/${where.resourceUuid}/waiting_list`, joining(email))
    const path = linkIn((await mailsTo(holdfast, email))[0]!.text, 'waiting')
    await post(path, { answer: 'confirm' })
    const changed = await post(path, {
      answer: 'change',
      from: '2030-01-08',
      to: '2030-01-09',
      timeFrom: '09:00',
      timeTo: '',
    })
    expect(changed.status).toBe(200)
    expect((await get(path)).text).toContain('09:00 – 24:00')
    expect((await post(path, { answer: 'change', from: '2030-01-10', to: '2030-01-09' })).status).toBe(400)
    await post(path, { answer: 'leave' })
    expect((await get(path)).text).toContain('You’ve left the waiting list')
  })

  it('show an offer without changing anything', async () => {
    const where = await open()
    const [first] = await bookAll(where)
    const ann = await wait(where)
    await consumer.cancel(first!.cancelLink)
    const path = await offerPath(ann.email)
    const shown = await get(path)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('We’re holding this time for you')
    expect((await entry(ann.uuid)).state).toBe('OFFERED')
    holdfast.clock.shiftMs += 86_400_000
    expect((await get(path)).status).toBe(410)
    expect((await post(path, { answer: 'take' })).status).toBe(410)
    expect((await get('/offer/nonsense')).status).toBe(404)
  })

  it('leaving with an open offer passes the time on', async () => {
    const where = await open()
    const [first] = await bookAll(where)
    const ann = await wait(where)
    const ben = await wait(where)
    await consumer.cancel(first!.cancelLink)
    await holdfast.crm.delete(`${list}/${ann.uuid}`)
    expect(await offers(ann.uuid)).toEqual([['2030-01-07T07:00:00Z', 'WITHDRAWN']])
    expect(await offers(ben.uuid)).toEqual([['2030-01-07T07:00:00Z', 'OPEN']])
  })
})

describe('"earlier than mine"', () => {
  it('moves the booking and passes its old place on', async () => {
    const where = await open()
    const [first, ...rest] = slotsOf(await consumer.list(where.resource))
    const other = (await consumer.complete(where.resource, bookingOf(first!, newPerson()))).body
      .createdAppointment
    const ann = newPerson()
    const mine = (await consumer.complete(where.resource, bookingOf(rest[1]!, ann))).body.createdAppointment
    const middle = (await consumer.complete(where.resource, bookingOf(rest[0]!, newPerson()))).body
      .createdAppointment
    const last = (await consumer.complete(where.resource, bookingOf(rest[2]!, newPerson()))).body
      .createdAppointment
    const token = new URL(mine.moveLink).pathname
    expect((await get(token)).text).toContain('Tell me if something earlier becomes available')
    const asked = await post(`${token}/earlier`, {})
    expect(asked.status).toBe(200)
    const ben = await wait(where)
    await consumer.cancel(last.cancelLink)
    expect(await offers(ben.uuid)).toEqual([['2030-01-07T08:30:00Z', 'OPEN']])
    const cat = await wait(where)
    await consumer.cancel(other.cancelLink)
    expect((await mailsTo(holdfast, ann.email)).at(-1)!.kind).toBe('offer')
    const taken = await post(await offerPath(ann.email), { answer: 'take' })
    expect(taken.status).toBe(200)
    expect((await mailsTo(holdfast, ann.email)).map(one => one.kind)).toEqual(['booked', 'offer', 'moved'])
    expect(await offers(cat.uuid)).toEqual([['2030-01-07T08:00:00Z', 'OPEN']])
    expect(middle.state).toBe('BOOKED')
  })
})
