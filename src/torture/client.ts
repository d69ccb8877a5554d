// A client process that books, holds, moves, releases and cancels as a consumer, and sometimes as the
// practice's own system. Reports every promise it receives to its parent.

import { type Answer, ask as askService, slotsIn } from './ask.ts'
import { asIntegrator, guestReference, hall, provider, providerPath, resources } from './seed.ts'

/** `booked` and `cancelled` are reported only after the service has confirmed them. */
export type ClientReport = {
  what: 'booked' | 'moved' | 'cancelled' | 'held' | 'refused' | 'asked again' | '5xx' | 'cut off'
  email?: string
  /** Text of a 5xx response. */
  detail?: string
}

const [origin = '', name = '', until = '0'] = process.argv.slice(2)
let deadline = Number(until)
const report = (word: ClientReport) => process.send?.(word)
const oneOf = <T>(list: T[]): T | undefined => list[Math.floor(Math.random() * list.length)]
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

type Slot = {
  start: string
  end: string
  timeslot_uuid: string
  product_uuid: string | null
  appointment_uuid?: string
  products: { uuid: string }[]
}
type Headers = Record<string, string>
type Appointment = { reference: string; state: string; resourceReference: string }

const owned = resources.filter(one => one.isOwn).map(one => one.reference)

const ask = (method: string, path: string, body?: object, headers: Headers = {}): Promise<Answer> =>
  askService(origin, method, path, { body, headers, report })

async function visit(count: number) {
  const at = `/resources/${oneOf([...resources, hall])!.reference}`
  const slot = await pickSlot(at)
  if (!slot) return makeRoom()
  const product_uuid = slot.product_uuid ?? slot.products[0]!.uuid
  const { timeslot_uuid, appointment_uuid, start, end } = slot
  const dice = Math.random()
  // Some book without a hold.
  const placeholder_id = dice > 0.8 ? null : await hold(at, { ...slot, product_uuid }, {}, somePlaces())
  if (placeholder_id === undefined) return
  // Some leave, and their hold expires.
  if (dice < 0.15) return
  if (dice < 0.3) return void (await ask('POST', `${at}/revoke_reservation`, { placeholder_id }))
  const email = `${name}-${count}@torture.example`
  const booked = await ask('POST', `${at}/create_appointment_with_consumer`, {
    start,
    end,
    timeslot_uuid: appointment_uuid ?? timeslot_uuid,
    product_uuid,
    placeholder_id: placeholder_id ?? crypto.randomUUID(),
    // Without it, as many as were held.
    place_count: dice > 0.7 ? somePlaces() : null,
    email,
    firstname: 'Ann',
    lastname: name,
  })
  report({ what: booked.status === 201 ? 'booked' : 'refused', email })
  if (booked.status === 201) kept.push({ email, link: booked.body.createdAppointment.cancelLink })
  // At most once: moving twice would rightly send two emails.
  if (booked.status === 201 && dice > 0.7) await moveAway(at, booked.body.createdAppointment)
  if (dice > 0.6) await makeRoom()
}

/**
 * Moves to any other time at the same Resource, including one that overlaps the current time. Most hold it
 * first, and some give up. A refused move keeps the booking.
 */
async function moveAway(at: string, { moveLink, product_uuid }: { moveLink: string; product_uuid: string }) {
  const token = new URL(moveLink).pathname.split('/').at(-1)!
  const headers = { 'x-signed-app-customer': token }
  const slot = await pickSlot(at, headers)
  if (!slot) return
  const { timeslot_uuid, appointment_uuid, start, end } = slot
  const placeholder_id = Math.random() < 0.3 ? null : await hold(at, { ...slot, product_uuid }, headers)
  if (placeholder_id === undefined || Math.random() < 0.2) return
  const target = appointment_uuid ?? timeslot_uuid
  const request = { timeslot_uuid: target, product_uuid, start, end, placeholder_id }
  const { status } = await ask('POST', `${at}/move_appointment`, request, headers)
  report({ what: status === 200 ? 'moved' : 'refused' })
}

/** From a fresh list or an old one: many visitors use a page that was loaded some time ago. */
async function pickSlot(at: string, headers: Headers = {}): Promise<Slot | undefined> {
  const old = oneOf(remembered.get(at) ?? [])
  if (old && Math.random() < 0.6) return old
  const { body } = await ask('GET', `${at}/upcoming_bookables`, undefined, headers)
  const slots = slotsIn<Slot>(body)
  if (slots.length > 0 && !remembered.has(at)) remembered.set(at, slots)
  return oneOf(slots)
}

const remembered = new Map<string, Slot[]>()

/** Most want one, some a few. */
const somePlaces = () => (Math.random() < 0.7 ? 1 : 2 + Math.floor(Math.random() * 2))

/** Returns the placeholder, or undefined if refused. */
async function hold(
  at: string,
  slot: Slot,
  headers: Headers = {},
  place_count = 1,
): Promise<string | undefined> {
  const { timeslot_uuid, appointment_uuid, product_uuid, start: from, end: to } = slot
  const request = { timeslot_uuid, appointment_uuid, product_uuid, from, to, place_count }
  const { status, body } = await ask('POST', `${at}/reserve_appointment`, request, headers)
  report({ what: status === 200 ? 'held' : 'refused' })
  return status === 200 ? body.participation.customer_uuid : undefined
}

/**
 * The practice reserves a place for a Customer on the phone, in its own Appointment or in one that consumers
 * started. Then it confirms, cancels, or forgets.
 */
async function visitAsIntegrator(count: number) {
  const crm = (method: string, path: string, body?: object) =>
    ask(method, providerPath + path, body, asIntegrator)
  if (Math.random() < 0.2) await loseGuest()
  const { body: all } = await crm('GET', '/appointments')
  const active = (all as Appointment[]).filter(one => one.state === 'ACTIVE')
  const own = active.filter(one => owned.includes(one.resourceReference))
  const appointment = oneOf(Math.random() < 0.7 ? own : active)
  if (!appointment) return
  const customerReference = `${name}-${count}@torture`
  const email = `${name}-${count}@torture.example`
  const person = { customerReference, providerReference: provider, userName: `Bo ${name}`, email }
  const made = await crm('POST', '/customers', person)
  if (made.status >= 300) throw new Error(`Create Customer: ${made.status}`)
  const reference = `${name}-${count}-place@torture`
  const appointmentReference = appointment.reference
  const place = { reference, appointmentReference, customerReference, state: 'RESERVED' }
  const reserved = await crm('POST', '/participations', place)
  report({ what: reserved.status < 300 ? 'held' : 'refused' })
  if (reserved.status >= 300) return
  await pause(Math.random() * 1500)
  const dice = Math.random()
  if (dice < 0.2) return
  const state = dice < 0.4 ? 'CANCELED' : 'BOOKED'
  const moved = await crm('POST', `/participations/${encodeURIComponent(reference)}`, { state })
  if (state === 'CANCELED') return
  report({ what: moved.status === 200 ? 'booked' : 'refused', email })
  if (moved.status === 200) confirmed.push({ email, reference })
  if (confirmed.length < 2) return
  const { reference: oldest, ...whose } = confirmed.shift()!
  const cancelled = await crm('POST', `/participations/${encodeURIComponent(oldest)}`, { state: 'CANCELED' })
  if (cancelled.status === 200) report({ what: 'cancelled', ...whose })
}

/** One of the people of the large class does not come. */
function loseGuest() {
  const reference = guestReference(Math.floor(Math.random() * hall.guests))
  const path = `${providerPath}/participations/${encodeURIComponent(reference)}`
  return ask('POST', path, { state: 'CANCELED' }, asIntegrator)
}

/** Places booked as the practice, cancelled one by one so that slots stay contested. */
const confirmed: { email: string; reference: string }[] = []

/** Own bookings that are not cancelled. */
const kept: { email: string; link: string }[] = []

/** Cancels one of its own bookings, so that slots stay contested. */
async function makeRoom() {
  const [one] = kept.splice(Math.floor(Math.random() * kept.length), 1)
  if (!one) return pause(50)
  const { status, wasUnsure } = await ask('POST', new URL(one.link).pathname)
  // After a retry, the first request may have cancelled it.
  if (status < 400 || wasUnsure) report({ what: 'cancelled', email: one.email })
}

process.on('message', message => {
  if (message === 'enough') deadline = 0
})

// The parent is gone: nothing that happens now is counted.
process.on('disconnect', () => process.exit(1))

for (let count = 1; Date.now() < deadline; count++)
  await (Math.random() < 0.3 ? visitAsIntegrator(count) : visit(count))
process.exit(0)
