import { expect, it } from 'vitest'
import { makePractice } from '../support/build.ts'
import { bookingOf, form, newPerson, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

// People cancel, book, wait, take and decline at the same time, while the job passes lapsed offers on.

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { language: 'en' })
const { room, wait, bookAll, consumer, job, linkIn } = waitingAt(holdfast, practice)
const count = async (text: string) =>
  (await holdfast.service.db.pool.query<{ count: number }>(`select count(*)::int as count from ${text}`))
    .rows[0]!.count

async function answer(email: string, index: number) {
  const offers = (await mailsTo(holdfast, email)).filter(one => one.kind === 'offer')
  const last = offers.at(-1)
  if (!last) return
  const body = `answer=${index % 2 === 0 ? 'take' : 'decline'}`
  const path = linkIn(last.text, 'offer')
  // Twice at once: one of them wins.
  await Promise.all([0, 1].map(() => consumer.send('POST', path, body, { headers: form })))
}

it('never promises a place twice, nor two places to one person', async () => {
  const rooms = [await room(), await room()]
  const booked = (await Promise.all(rooms.map(bookAll))).flat()
  const people = []
  for (const where of rooms) for (let one = 0; one < 4; one++) people.push(await wait(where))
  for (let round = 0; round < 3; round++) {
    const cancelled = booked.splice(0, 3)
    await Promise.all([
      ...cancelled.map(one => consumer.cancel(one.cancelLink)),
      ...rooms.map(async ({ resource }) => {
        const [slot] = slotsOf(await consumer.list(resource))
        if (slot) await consumer.complete(resource, bookingOf(slot, newPerson()))
      }),
      job(),
    ])
    await Promise.all([...people.map((one, index) => answer(one.email, index + round)), job()])
    expect(await overbooked()).toBe(0)
    expect(await count(twoLiveOffers)).toBe(0)
    expect(await count(offersWithoutHold)).toBe(0)
  }
  await job()
  expect(await count(doubleMails)).toBe(0)
  expect(await count(takenTwice)).toBe(0)
})

const overbooked = () =>
  count(`appointment where state = 'ACTIVE' and deleted_at is null and capacity < (
    select count(*) from participation where appointment_id = appointment.id and takes_place(participation.state, expires_at, app_now()))`)
const twoLiveOffers = `(select from waiting_offer where outcome is null group by customer_id having count(*) > 1) as twice`
const offersWithoutHold = `waiting_offer where outcome is null and expires_at > app_now() and not exists (
  select from participation where participation.placeholder = waiting_offer.placeholder and state = 'RESERVED')`
const doubleMails = `(select from mail where kind = 'offer' group by recipient, data ->> 'start', data ->> 'resourceName', data ->> 'offerLink'
  having count(*) > 1) as twice`
const takenTwice = `(select from participation where state = 'BOOKED' and placeholder in (select placeholder from waiting_offer)
  group by placeholder having count(*) > 1) as twice`
