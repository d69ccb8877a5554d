import { expect } from 'vitest'
import { makePractice, makeTimeslot, type Practice } from './build.ts'
import { type asConsumer, queryText, slotsOf } from './consumer.ts'
import { expectRefusal } from './refusals.ts'
import type { TestService } from './service.ts'

/** A Resource that is open on one morning, in half hours. */
export async function roomWithHours({ crm }: TestService, hours = 4) {
  const room = await makePractice(crm)
  const end = `2030-01-07T${String(8 + hours).padStart(2, '0')}:00`
  await makeTimeslot(crm, room, { start: '2030-01-07T08:00', end, raster: 30 })
  return room
}

export const addressOf = (uuid: string, query = {}) =>
  `/resources/${uuid}/upcoming_bookables${queryText(query)}`

/**
 * One of eight slots is booked. A consumer who moves out of it sees it as available, at the same URL. Once the Resource is
 * deleted, no slots are listed.
 */
export async function checkListForMove(
  { crm }: TestService,
  consumer: ReturnType<typeof asConsumer>,
  room: Practice,
  moveLink: string,
) {
  const url = addressOf(room.resourceUuid)
  const token = new URL(moveLink).pathname.split('/').at(-1)!
  const leaving = await consumer.send('GET', url, undefined, { headers: { 'x-signed-app-customer': token } })
  expect(slotsOf(leaving)).toHaveLength(8)
  expect(slotsOf(await consumer.send('GET', url))).toHaveLength(7)
  await crm.delete(
    `${room.path}/resources/${encodeURIComponent(room.resource)}?ignoreFutureAppointments=true`,
  )
  expectRefusal(await consumer.send('GET', url), 404, 'not-found', 'ref')
}
