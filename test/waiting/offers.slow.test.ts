import { beforeEach, describe, expect, it } from 'vitest'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { form } from '../support/consumer.ts'
import { countMails, mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { consoleCall, useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org', language: 'en' })
const { room, wait, bookAll, entry, offers, free, offerPath, job, consumer, list, sendEmails } = waitingAt(
  holdfast,
  practice,
)
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

const minutes = (count: number) => {
  holdfast.clock.shiftMs += count * 60_000
}
const day = 24 * 60

const answer = async (email: string, what: 'take' | 'decline') =>
  consumer.send('POST', await offerPath(email), `answer=${what}`, { headers: form })

describe('a place that comes free', () => {
  it('is held for the first person in line in the same transaction', async () => {
    const where = await room()
    const [first] = await bookAll(where)
    const ann = await wait(where)
    const ben = await wait(where)
    await consumer.cancel(first!.cancelLink)
    expect(await offers(ann.uuid)).toEqual([['2030-01-07T07:00:00Z', 'OPEN']])
    expect(await offers(ben.uuid)).toEqual([])
    expect(await free(where)).toEqual([])
    expect((await entry(ann.uuid)).state).toBe('OFFERED')
    expect(await mailKindsTo(holdfast, ann.email)).toEqual(['offer'])
    expect(await mailKindsTo(holdfast, ben.email)).toEqual([])
    const explained = await consoleCall(
      holdfast.app,
      'GET',
      `/resources/${where.resourceUuid}/explain?date=2030-01-07`,
    )
    expect(explained.body.lines[0]).toMatchObject({ reason: 'held', offered: false })
    expect(explained.body.lines[0].text).toMatch(
      /^Offered to the waiting list until \d{4}-\d\d-\d\d \d\d:\d\d\.$/,
    )
  })

  it('goes to the next one when it is declined, and the first waits on', async () => {
    const where = await room()
    const [first] = await bookAll(where)
    const ann = await wait(where)
    const ben = await wait(where)
    await consumer.cancel(first!.cancelLink)
    expect((await answer(ann.email, 'decline')).text).toContain('waiting list')
    expect(await offers(ann.uuid)).toEqual([['2030-01-07T07:00:00Z', 'DECLINED']])
    expect(await offers(ben.uuid)).toEqual([['2030-01-07T07:00:00Z', 'OPEN']])
    expect((await entry(ann.uuid)).state).toBe('WAITING')
    expect(await free(where)).toEqual([])
  })

  it('is booked with the usual emails when it is taken', async () => {
    const where = await room()
    const [first] = await bookAll(where)
    const ann = await wait(where)
    await consumer.cancel(first!.cancelLink)
    const taken = await answer(ann.email, 'take')
    expect(taken.text).toContain('confirmed')
    expect((await entry(ann.uuid)).state).toBe('BOOKED')
    expect(await offers(ann.uuid)).toEqual([['2030-01-07T07:00:00Z', 'TAKEN']])
    expect(await mailKindsTo(holdfast, ann.email)).toEqual(['offer', 'booked'])
    expect((await answer(ann.email, 'take')).status).toBe(410)
    expect(await mailKindsTo(holdfast, ann.email)).toEqual(['offer', 'booked'])
  })

  it('lapses after the offer time and goes on; after three the entry ends with an email', async () => {
    const where = await room()
    const booked = await bookAll(where)
    const ann = await wait(where)
    for (const { cancelLink } of booked.slice(0, 3)) {
      await consumer.cancel(cancelLink)
      expect((await offers(ann.uuid)).at(-1)![1]).toBe('OPEN')
      await sendEmails()
      minutes(day)
      await job()
    }
    expect((await offers(ann.uuid)).map(one => one[1])).toEqual(['LAPSED', 'LAPSED', 'LAPSED'])
    expect(await entry(ann.uuid)).toMatchObject({ state: 'ENDED', endedBecause: 'unanswered' })
    expect(await mailKindsTo(holdfast, ann.email)).toEqual(['offer', 'offer', 'offer', 'waiting-ended'])
    expect(await free(where)).toEqual(['08:00', '08:30', '09:00'])
  })
})

describe('the line', () => {
  it('puts priority before time', async () => {
    const where = await room()
    const [first] = await bookAll(where)
    await wait(where)
    const ben = await wait(where, { priority: 5, priorityReason: 'in pain' })
    await consumer.cancel(first!.cancelLink)
    expect((await entry(ben.uuid)).state).toBe('OFFERED')
  })

  it('offers only what a person waits for', async () => {
    const where = await room()
    const booked = await bookAll(where)
    const late = await wait(where, { timeFrom: '09:00', timeTo: '09:30' })
    await wait(where, { weekdays: [2] })
    await wait(where, { from: '2030-01-08' })
    for (const { cancelLink } of booked) await consumer.cancel(cancelLink)
    expect(await offers(late.uuid)).toEqual([['2030-01-07T08:00:00Z', 'OPEN']])
    expect(await free(where)).toEqual(['08:00', '08:30', '09:30'])
  })

  it('makes one email for a place that a hundred people wait for', async () => {
    const where = await room()
    const [first] = await bookAll(where)
    await wait(where)
    // The others at once, because a hundred requests would take seconds.
    await holdfast.query(`
      with people as (
        insert into customer (provider_id, reference, name, email)
        select provider_id, 'hundred' || n, 'Ann', 'hundred' || n || '@example.org' from resource, generate_series(1, 99) as n
        where uuid = '${where.resourceUuid}' returning id, provider_id
      )
      insert into waiting_entry (provider_id, customer_id, product_id, resource_ids, channel_key, from_date, to_date, wish, state)
      select people.provider_id, people.id, product.id, array[resource.id], 'RESOURCE_PUBLIC', '2030-01-07', '2030-01-11', '', 'WAITING'
      from people, product, resource where product.uuid = '${practice.productUuid}' and resource.uuid = '${where.resourceUuid}'`)
    const before = await countMails(holdfast)
    await consumer.cancel(first!.cancelLink)
    await job()
    // Two about the cancellation, and one offer.
    expect((await countMails(holdfast)) - before).toBe(3)
  })

  it('makes one person one offer, however much they wait for', async () => {
    const where = await room()
    const booked = await bookAll(where)
    const ann = await wait(where, { timeTo: '09:00' })
    const again = await holdfast.crm.post(list, {
      customerReference: ann.customer,
      productReference: practice.product,
      from: '2030-01-07',
      to: '2030-01-07',
    })
    expect(again.status).toBe(201)
    await Promise.all(booked.map(one => consumer.cancel(one.cancelLink)))
    await job()
    const open = [...(await offers(ann.uuid)), ...(await offers(again.body.entry.uuid))]
    expect(open.filter(one => one[1] === 'OPEN')).toHaveLength(1)
  })
})

describe('the job', () => {
  it('offers a time past midnight to a person who named no hours', async () => {
    const where = await room({ start: '2030-01-07T23:30', end: '2030-01-08T00:30', raster: 60 })
    const early = await wait(where, { timeTo: '23:59' })
    const ann = await wait(where)
    await job()
    expect(await offers(ann.uuid)).toEqual([['2030-01-07T22:30:00Z', 'OPEN']])
    expect(await offers(early.uuid)).toEqual([])
  })

  it('offers time that opens in bulk', async () => {
    const where = await room({ state: 'CREATED' })
    const ann = await wait(where)
    await job()
    expect(await offers(ann.uuid)).toEqual([])
    await makeTimeslot(holdfast.crm, where, { start: '2030-01-08T08:00', end: '2030-01-08T09:00' })
    await job()
    expect((await offers(ann.uuid)).map(one => one[1])).toEqual(['OPEN'])
  })

  it('ends an entry whose period is over', async () => {
    const where = await room()
    const ann = await wait(where, { from: '2030-01-07', to: '2030-01-07' })
    await bookAll(where)
    holdfast.clock.shiftMs = Date.parse('2030-01-09T00:00:00Z') - Date.now()
    await job()
    expect(await entry(ann.uuid)).toMatchObject({ state: 'ENDED', endedBecause: 'over' })
    expect((await mailsTo(holdfast, ann.email)).at(-1)!.kind).toBe('waiting-ended')
  })
})
