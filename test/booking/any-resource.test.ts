// Where any Resource will do, bookings are shared out.

import { expect, it } from 'vitest'
import { makePractice, makeRoom, makeTimeslot } from '../support/build.ts'
import { asConsumer, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { bookAt } from '../support/moves.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()

it('lists the Resource with the fewest bookings of the day first, as bookings come and go', async () => {
  const practice = await makePractice(holdfast.crm)
  const other = await makeRoom(holdfast.crm, practice)
  const hours = { start: '2027-03-02T09:00', end: '2027-03-02T12:00' }
  await makeTimeslot(holdfast.crm, practice, hours)
  await makeTimeslot(holdfast.crm, other, hours)
  const consumer = asConsumer(overApp(holdfast.app))
  const first = async (at: string) => {
    const answer = await consumer.send(
      'GET',
      `/resources/${practice.resource}/upcoming_bookables?ref=${other.resource}&from=2027-03-02&to=2027-03-03`,
      undefined,
    )
    return slotsOf(answer).filter(one => one.start.includes(at))[0]!.resource_uuid
  }
  expect(await first('T11:00')).toBe(practice.resourceUuid)
  const [slot] = slotsOf(await consumer.list(practice.resource))
  const { cancelLink } = await bookAt(consumer, slot!, newPerson())
  expect(await first('T11:00')).toBe(other.resourceUuid)
  await consumer.send('POST', new URL(cancelLink).pathname, undefined)
  expect(await first('T11:00')).toBe(practice.resourceUuid)
})
