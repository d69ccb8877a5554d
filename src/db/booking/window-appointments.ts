import sql, { type Sql } from 'sql-template-tag'
import { countBelow } from '../../rules/offers/busy.ts'
import type { Busy as BusyTime } from '../../rules/offers/known-times.ts'
import type { Appointment, Timeslot } from '../../rules/offers/window.ts'
import {
  flag,
  jsonOrNull,
  nothing,
  number,
  numberOrNull,
  plain,
  type Tuple,
  text,
  textOrNull,
  tuplesOf,
} from '../base/tuples.ts'
import { contactPerson } from '../setup/contacts.ts'
import { ownPlaces } from './own-places.ts'

// What blocks the time of a Resource. The database sends Appointments and, beside them, who is in any of them: looked up
// one by one for each Appointment, Participations took twice as long as all the rest of a list. They find each other here.

/** A text: `[[Appointment, ...], [place, ...]]`, where one that is merely busy is four values without brackets. */
export type PackedAppointments = string & { readonly of?: WindowAppointment }

export type AppointmentBounds = {
  from: Sql
  to: Sql
  /** The hold with this placeholder counts for nothing: its holder is asking. */
  ignoring?: Sql
  /** Whoever moves out of the Participation with this uuid asks: what is theirs counts for nothing either. */
  leaving?: Sql
  /** A short period: what is in it is a short piece of the index, whatever comes after it. */
  isShort?: boolean
  /** For lists, which show an Appointment only if somebody can join it, or if the channel shows full ones. */
  showsFull?: Sql
  /** Whether to read the contacts that some have of their own, or only which ones do, or nothing of them. */
  contacts: 'read' | 'noticed' | 'left out'
}

// date_part and not extract: it counts with floating point numbers, in half the time, and is exact to the microsecond.
export const ms = (column: Sql) => sql`(date_part('epoch', ${column}) * 1000)::bigint`

/** Few have a contact of their own: the others cost nothing. */
const ownContact = sql`
  case when appointment.contact_user_id is not null
    then ${contactPerson(sql`appointment.contact_user_id`, sql`appointment.contact_profile_id`)} end
`

/** Whether it has one, for whoever then asks for everything: looking for it takes as long to begin as all the rest. */
const hasContact = sql`case when appointment.contact_user_id is null then 'null' else 'true' end`

const contactIn = { read: {}, noticed: { contact: hasContact }, 'left out': { contact: nothing } }

type Sent = Required<Omit<Appointment, 'timeslotUuid' | 'open' | 'taken' | 'holdUntil'>> & {
  claim: number | null
  timeslotId: number | null
  acceptsBookings: boolean
  isOfConsumers: boolean
}

export type WindowAppointment = Sent & Pick<Appointment, 'taken' | 'holdUntil'>

/** What is known of it once the Timeslots are. */
type Placed = Pick<Appointment, 'timeslotUuid' | 'open'>

const appointmentTuples = tuplesOf<Sent>({
  id: number(sql`id`),
  uuid: plain(sql`uuid`),
  reference: text(sql`reference`),
  claim: numberOrNull(sql`claim`),
  timeslotId: numberOrNull(sql`timeslot_id`),
  productId: number(sql`product_id`),
  productName: textOrNull(sql`product_name`),
  price: jsonOrNull(sql`case when price_value is not null
    then json_build_object('value', price_value, 'currency', price_currency) end`),
  start: number(ms(sql`start_at`)),
  end: number(ms(sql`end_at`)),
  blockedFrom: number(ms(sql`blocked_from`)),
  blockedTo: number(ms(sql`blocked_to`)),
  capacity: number(sql`capacity`),
  acceptsBookings: flag(sql`accept_bookings`),
  contact: jsonOrNull(ownContact),
  isOfConsumers: flag(sql`origin = 'consumer'`),
})

/** Nobody can join it, and no list shows it: all that matters is when it is in the way. That is what most of them are. */
type Busy = Pick<Sent, 'id' | 'blockedFrom' | 'blockedTo' | 'isOfConsumers'>

const busyTuples = tuplesOf<Busy>({
  id: number(sql`id`),
  blockedFrom: number(ms(sql`blocked_from`)),
  blockedTo: number(ms(sql`blocked_to`)),
  isOfConsumers: flag(sql`origin = 'consumer'`),
})

/** One of consumers with a single place is full, or nobody is in it any more and it counts for nothing. */
const isMerelyBusy = (showsFull: Sql, isTaken: Sql) => sql`
  claim is null and (not accept_bookings or (not ${showsFull} and (
    (origin = 'consumer' and capacity = 1) or capacity <= (
      select count(*) from participation where appointment_id = appointment.id and ${isTaken}
    )
  )))
`

/** The Appointment of a place, with the moment at which it expires if it is a hold. */
type Place = number | [appointmentId: number, holdUntil: number]

const place = sql`
  case when expires_at is null then appointment_id::text else concat('[', appointment_id, ',', ${ms(sql`expires_at`)}, ']') end
`

/** The provider's own that nobody can join is in the way whoever is in it: lists need not look. */
const mattersWhoIsIn = sql`(origin = 'consumer' or accept_bookings)`

/**
 * Who is in one of the Appointments, in one look-up. The fence keeps the planner from first reading all live holds there are,
 * of everybody.
 */
const inside = sql`(
  select * from participation where appointment_id = any (near.ids) offset 0
) as participation`

/**
 * ACTIVE ones that block something in the period. The first `offset 0` is a fence: looking through it, the planner would take
 * an index in the order of time and read everybody's Appointments.
 */
export function appointments({
  from,
  to,
  ignoring,
  leaving,
  isShort,
  showsFull,
  contacts,
}: AppointmentBounds): Sql {
  // What the CRM reserved has no placeholder, and whoever asks may have none: nothing is the same hold as nothing.
  const counts = ignoring
    ? sql`and (participation.state <> 'RESERVED' or (placeholder = ${ignoring}) is not true)`
    : sql``
  const stays = leaving ? sql`and participation.id <> all (array (${ownPlaces(leaving)}))` : sql``
  const isTaken = sql`takes_place(participation.state, expires_at, app_clock()) ${counts} ${stays}`
  const left = leaving
    ? sql`, '],[', (
        select string_agg(appointment_id::text, ',') from participation
        where id = any (array (${ownPlaces(leaving)})) and takes_place(state, expires_at, app_clock())
      )`
    : sql``
  const whole = appointmentTuples.packed(contactIn[contacts])
  const row = showsFull
    ? sql`case when ${isMerelyBusy(showsFull, isTaken)} then ${busyTuples.loose()} else ${whole} end`
    : whole
  return sql`
    (
      select concat('[[', near.rows, '],[', (
        select string_agg(${place}, ',') from ${inside} where ${isTaken}
      )${left}, ']]')
      from (
        select string_agg(${row}, ',') as rows, array_agg(id) ${showsFull ? sql`filter (where ${mattersWhoIsIn})` : sql``} as ids
        from (
          select * from appointment
          where appointment.resource_id = resource.id and appointment.state = 'ACTIVE'
            and appointment.deleted_at is null and blocked_to > ${from} - make_interval(mins => offer.lead)
            and blocked_from < ${to} + make_interval(mins => offer.reach)
            ${isShort ? sql`and blocked_to < ${to} + make_interval(mins => offer.reach) + resource.longest_block` : sql``}
          offset 0
        ) as appointment
      ) as near
    )
  `
}

/** In the order of time. */
export function readRows(packed: PackedAppointments): WindowAppointment[] {
  const [sent, places, left = []] = JSON.parse(packed) as [(Tuple<Sent> | unknown)[], Place[], number[]?]
  const placesOf = countPlaces(places)
  const rows: WindowAppointment[] = []
  for (let at = 0; at < sent.length; ) {
    const one = sent[at]
    rows.push(Array.isArray(one) ? readWhole(one, placesOf) : readBusy(sent, at, placesOf))
    at += Array.isArray(one) ? 1 : busyTuples.width
  }
  // What lives on without whoever moves out of it is what it is: there, they have a place already.
  for (const row of left.length > 0 ? rows : [])
    if (!isLeftover(row)) row.taken += left.filter(id => id === row.id).length
  return rows.sort((one, other) => one.start - other.start || one.id! - other.id!)
}

type Places = { taken: number; holdUntil: number | null }
type PlacesOf = (id: number | null) => Places

const nobody: Places = { taken: 0, holdUntil: null }

function countPlaces(places: Place[]): PlacesOf {
  const byId = new Map<number | null, Places>()
  for (const place of places) {
    const [id, holdUntil] = typeof place === 'number' ? [place, null] : place
    const known = byId.get(id)
    if (!known) byId.set(id, { taken: 1, holdUntil })
    else {
      known.taken++
      known.holdUntil = sooner(known.holdUntil, holdUntil)
    }
  }
  return id => byId.get(id) ?? nobody
}

const sooner = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

const readWhole = (tuple: Tuple<Sent>, placesOf: PlacesOf): WindowAppointment => {
  const sent = appointmentTuples.read(tuple)
  return Object.assign(sent, placesOf(sent.id))
}

/** The product of those of which nobody needs to know more. */
const none = 0

const { places: busy } = busyTuples

function readBusy(sent: unknown[], at: number, placesOf: PlacesOf): WindowAppointment & Placed {
  const id = sent[at + busy.id] as number
  const blockedFrom = sent[at + busy.blockedFrom] as number
  const blockedTo = sent[at + busy.blockedTo] as number
  const { taken, holdUntil } = placesOf(id)
  return {
    id,
    uuid: '',
    reference: '',
    claim: null,
    timeslotId: null,
    productId: none,
    productName: null,
    price: null,
    start: blockedFrom,
    end: blockedTo,
    blockedFrom,
    blockedTo,
    capacity: 0,
    acceptsBookings: false,
    contact: null,
    isOfConsumers: sent[at + busy.isOfConsumers] as boolean,
    taken,
    holdUntil,
    timeslotUuid: null,
    open: false,
  }
}

export const isBusy = ({ productId }: Pick<Appointment, 'productId'>) => productId === none

/** Of consumers, and nobody is in it any more: their holds have all expired. */
const isLeftover = ({ isOfConsumers, taken }: WindowAppointment) => isOfConsumers && taken === 0

/** They have expired, and so has the time that they kept. */
export const leftoversOf = (rows: WindowAppointment[]): BusyTime[] =>
  rows.filter(isLeftover).map(({ blockedFrom: from, blockedTo: to }) => ({ from, to, until: 0 }))

/**
 * While it is undecided whether somebody moves by less than their Appointment lasts, they have two that overlap, of which one
 * will end: nobody else gets into either.
 */
function closeUndecided(rows: WindowAppointment[]): WindowAppointment[] {
  if (!rows.some(isClaimed)) return rows
  const claimOf = ({ claim, id }: WindowAppointment) => claim ?? id
  const isUndecided = (row: WindowAppointment) =>
    rows.some(
      other =>
        other !== row &&
        claimOf(other) === claimOf(row) &&
        other.blockedFrom < row.blockedTo &&
        other.blockedTo > row.blockedFrom,
    )
  return rows.map(row => (isUndecided(row) ? { ...row, taken: Math.max(row.taken, row.capacity) } : row))
}

/** Without those that are left over. */
export const livingOnes = (rows: WindowAppointment[], timeslotOf: TimeslotFinder) =>
  closeUndecided(rows.filter(row => !isLeftover(row))).map(row => asAppointment(row, timeslotOf))

/**
 * Null where a contact is missing, or where somebody's move is undecided: what that means for others is seen with everything in
 * view only.
 */
export function readAppointments(packed: PackedAppointments, timeslotOf: TimeslotFinder) {
  const rows = readRows(packed)
  if (rows.some(row => isClaimed(row) || row.contact !== null)) return null
  return { living: livingOnes(rows, timeslotOf), leftovers: leftoversOf(rows) }
}

export const isClaimed = (row: WindowAppointment) => row.claim !== null

/** One whose own Timeslot is not among those that are read is not open: its Timeslot is closed, or not asked for. */
function asAppointment(row: WindowAppointment, timeslotOf: TimeslotFinder): Appointment {
  const { timeslotId, acceptsBookings, start, end } = row
  if (isBusy(row)) return row as WindowAppointment & Placed
  const timeslot = timeslotOf(timeslotId, start, end)
  const open = acceptsBookings && (timeslotId === null || timeslot?.bookable === true)
  return Object.assign(row, { timeslotUuid: timeslot?.uuid ?? null, open })
}

export type TimeslotFinder = (id: number | null, start: number, end: number) => Timeslot | undefined

/** An Appointment of the provider has no Timeslot of its own; consumers find it in the one that it lies in. */
export function timeslotFinder(slots: Timeslot[]): TimeslotFinder {
  const byId = new Map(slots.map(slot => [slot.id, slot]))
  const bookable = slots.filter(slot => slot.bookable)
  const starts = bookable.map(slot => slot.start)
  // latestEnds[i]: how far the first i + 1 reach. Timeslots may overlap, and a long one may begin far back.
  let latest = 0
  const latestEnds = bookable.map(slot => (latest = Math.max(latest, slot.end)))
  return (id, start, end) => {
    if (id !== null) return byId.get(id)
    let around: Timeslot | undefined
    for (let index = countBelow(starts, start + 1) - 1; latestEnds[index]! >= end; index--)
      if (bookable[index]!.end >= end) around = bookable[index]
    return around
  }
}
