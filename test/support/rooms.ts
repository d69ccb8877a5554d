// Rooms, slots and request bodies for tests of the booking flow. Monday, 08:00 to 10:00 in Berlin, four slots.

import { makeRoom, makeTimeslot, type Practice } from './build.ts'
import { bookingOf, type Consumer, holdOf, type Slot, slotsOf } from './consumer.ts'
import type { Answer, TestService } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
type Body = Record<string, any>

export type Room = Practice & { timeslot: string }
export type Hold = { room: Practice; slot: Slot; placeholder_id: string; body: Body }

/** Operations of one practice and its consumers. A function, because the practice is created in beforeAll. */
export function roomsOf(at: () => { holdfast: TestService; practice: Practice; consumer: Consumer }) {
  /** A Resource with a Timeslot of four slots. */
  async function roomWith(fields: Body = {}, where?: Practice): Promise<Room> {
    const { holdfast, practice } = at()
    const place = where ?? (await makeRoom(holdfast.crm, practice))
    const { uuid } = await makeTimeslot(holdfast.crm, place, { end: '2030-01-07T10:00', ...fields })
    return { ...place, timeslot: uuid }
  }

  const slots = async ({ resource }: Practice) => slotsOf(await at().consumer.list(resource))
  const first = async (room: Practice) => (await slots(room))[0]!
  const starts = async (room: Practice) => (await slots(room)).map(slot => slot.start.slice(11, 16))
  const reserve = ({ resource }: Practice, body: unknown, query = {}) =>
    at().consumer.reserve(resource, body, query)
  const complete = ({ resource }: Practice, body: unknown, query = {}) =>
    at().consumer.complete(resource, body, query)

  async function hold(room: Practice, slot: Slot, query = {}): Promise<Hold> {
    const { body } = must(200, await reserve(room, holdOf(slot), query))
    return { room, slot, placeholder_id: body.participation.customer_uuid, body }
  }

  const completeHold = ({ room, slot, placeholder_id }: Hold, fields: Body = {}) =>
    complete(room, bookingOf(slot, { placeholder_id, ...fields }))

  return {
    roomWith,
    slots,
    first,
    starts,
    reserve,
    complete,
    hold,
    holdFirst: async (room: Practice) => hold(room, await first(room)),
    completeHold,
    book: async (room: Practice, slot: Slot, fields: Body = {}): Promise<Body> =>
      must(201, await complete(room, bookingOf(slot, fields))).body.createdAppointment,
    /** Appointments of the Resource as the provider sees them. */
    appointments: async ({ path, resource }: Practice): Promise<Body[]> =>
      (await at().holdfast.crm.get(`${path}/appointments?resourceRef=${resource}`)).body,
  }
}

/** The body that reserves this time, in UTC, of the room's Timeslot. */
export const holdBodyAt = (room: Room, from: string, to: string) => ({
  timeslot_uuid: room.timeslot,
  product_uuid: room.productUuid,
  from: `2030-01-07T${from}:00Z`,
  to: `2030-01-07T${to}:00Z`,
})

export const statusesOf = (answers: { status: number }[]) => answers.map(answer => answer.status)

function must(status: number, answer: Answer): Answer {
  if (answer.status !== status) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}
