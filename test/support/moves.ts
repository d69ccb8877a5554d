// Helpers for tests of consumers who book and move.

import { bookingOf, type Consumer, holdOf, newPerson, type Slot } from './consumer.ts'
import type { Answer } from './service.ts'

export type Booked = { moveLink: string; cancelLink: string; email: string } & Record<string, string>

export async function bookAt(consumer: Consumer, slot: Slot, person = newPerson()): Promise<Booked> {
  const { status, body } = await consumer.complete(slot.resource_uuid, bookingOf(slot, person))
  if (status !== 201) throw new Error(`book: ${JSON.stringify(body)}`)
  return { ...body.createdAppointment, email: person.email }
}

export const pathOf = (link: string) => new URL(link).pathname

export const signedBy = ({ moveLink }: { moveLink: string }) => ({
  headers: { 'x-signed-app-customer': pathOf(moveLink).split('/').at(-1)! },
})

/** Holds this slot to move there. */
export const holdToMove = (
  consumer: Consumer,
  booked: { moveLink: string },
  slot: Slot,
  fields: Record<string, unknown> = {},
): Promise<Answer> =>
  consumer.send(
    'POST',
    `/resources/${slot.resource_uuid}/reserve_appointment`,
    holdOf(slot, fields),
    signedBy(booked),
  )

/** To this slot, with the token of the booking's link. */
export function moveBooking(
  consumer: Consumer,
  { moveLink }: { moveLink: string },
  { timeslot_uuid, appointment_uuid, start, end, resource_uuid }: Slot,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  const body = { timeslot_uuid: appointment_uuid ?? timeslot_uuid, start, end, ...fields }
  const path = `/resources/${resource_uuid}/move_appointment`
  return consumer.send('POST', path, body, signedBy({ moveLink }))
}
