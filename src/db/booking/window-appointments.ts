import sql, { type Sql } from 'sql-template-tag'
import { countBelow } from '../../rules/offers/busy-spans.ts'
import type { Appointment, Timeslot } from '../../rules/offers/window.ts'
import { countedWithout } from '../base/counted-places.ts'
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

// Reads the Appointments that block a Resource's time. The database sends Appointments and Participations as
// two lists that are joined here, because a lookup per Appointment took twice as long as the rest of the
// list.

/**
 * A text: `[[Appointment, ...], [place, ...]]`, in which a merely busy Appointment is four values without
 * brackets.
 */
export type PackedAppointments = string & { readonly of?: WindowAppointment }

export type AppointmentBounds = {
  from: Sql
  to: Sql
  /** The placeholder of the caller's own hold, which is ignored. */
  ignoring?: Sql
  /** The uuid of the Participation that the caller moves; all the caller's places are ignored. */
  leaving?: Sql
  /**
   * The period is short: also bound blocked_to from above, so that only a short part of the index is read.
   */
  isShort?: boolean
  /** For lists, which show an Appointment only if it can be joined or the channel shows full ones. */
  showsFull?: Sql
  /** Whether to read the Appointments' own contacts, only note which have one, or leave them out. */
  contacts: 'read' | 'noticed' | 'left out'
}

// date_part uses floating point, takes half the time of extract, and is exact to the microsecond.
export const ms = (column: Sql) => sql`(date_part('epoch', ${column}) * 1000)::bigint`

/** Few Appointments have their own contact; for the others this costs nothing. */
const ownContact = sql`
  case when appointment.contact_user_id is not null
    then ${contactPerson(sql`appointment.contact_user_id`, sql`appointment.contact_profile_id`)} end
`

/**
 * Only whether it has one: starting the contact subquery takes as long as the rest of the query. The caller
 * then reads everything.
 */
const hasContact = sql`case when appointment.contact_user_id is null then 'null' else 'true' end`

const contactIn = { read: {}, noticed: { contact: hasContact }, 'left out': { contact: nothing } }

type Sent = Required<Omit<Appointment, 'timeslotUuid' | 'open' | 'taken' | 'holdUntil'>> & {
  claim: number | null
  timeslotId: number | null
  acceptsBookings: boolean
  isOfConsumers: boolean
}

export type WindowAppointment = Sent & Pick<Appointment, 'taken' | 'holdUntil'>

/** Known once the Timeslots are read. */
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

/** Cannot be joined and is shown in no list, so only its time matters. Most Appointments are like this. */
type Busy = Pick<Sent, 'id' | 'blockedFrom' | 'blockedTo' | 'isOfConsumers'>

const busyTuples = tuplesOf<Busy>({
  id: number(sql`id`),
  blockedFrom: number(ms(sql`blocked_from`)),
  blockedTo: number(ms(sql`blocked_to`)),
  isOfConsumers: flag(sql`origin = 'consumer'`),
})

/** A consumer Appointment with a single place is either full, or empty and ignored. */
const isOnlyBusy = (showsFull: Sql, isTaken: Sql, counted: Sql) => sql`
  claim is null and (not accept_bookings or (not ${showsFull} and (
    (origin = 'consumer' and capacity = 1) or capacity <= coalesce(${counted}, 0) + (
      select coalesce(sum(places), 0) from participation
      where appointment_id = appointment.id and id > coalesce(counted_to, 0) and ${isTaken}
    )
  )))
`

/** The Appointment of a place, with the expiry if it is a hold; or of several, with their number. One person may have several. */
type Place = number | [appointmentId: number, holdUntil: number | null, count?: number]

const place = sql`
  case when expires_at is null and sum(places) = 1 then appointment_id::text
    else concat('[', appointment_id, ',', coalesce(${ms(sql`expires_at`)}::text, 'null'), ',', sum(places), ']') end
`

/**
 * A provider's Appointment that cannot be joined blocks its time whether or not it has people, so lists do
 * not read them.
 */
const needsParticipations = sql`(origin = 'consumer' or accept_bookings)`

const ofPlace = sql`participation.id, appointment_id, participation.state, expires_at, placeholder, places`

/**
 * Participations of these Appointments, in one lookup, and those of large groups that are not counted. The
 * fences keep the planner from reading all live holds first.
 */
const inside = sql`(
  (select ${ofPlace} from participation where appointment_id = any (near.ids) offset 0)
  union all
  select place.* from unnest(near.groups, near.counted_to) as counted (id, upto)
  cross join lateral (
    select ${ofPlace} from participation where appointment_id = counted.id and participation.id > counted.upto offset 0
  ) as place
) as participation`

/**
 * ACTIVE Appointments that block time in the period. Without the first fence (`offset 0`), the planner would
 * use an index on time and read the Appointments of all Resources.
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
  // Holds of the CRM have no placeholder, and the caller may have none; null must not match null.
  const counts = ignoring
    ? sql`and (participation.state <> 'RESERVED' or (placeholder = ${ignoring}) is not true)`
    : sql``
  const stays = leaving ? sql`and participation.id <> all (array (${ownPlaces(leaving)}))` : sql``
  const isTaken = sql`takes_place(participation.state, expires_at, app_clock()) ${counts} ${stays}`
  const left = leaving
    ? sql`, '],[', (
        select string_agg(appointment_id::text, ',') from participation, generate_series(1, places)
        where id = any (array (${ownPlaces(leaving)})) and takes_place(state, expires_at, app_clock())
      )`
    : sql``
  const counted = leaving ? countedWithout(sql`array (${ownPlaces(leaving)})`) : sql`counted_places`
  const whole = appointmentTuples.packed(contactIn[contacts])
  const row = showsFull
    ? sql`case when ${isOnlyBusy(showsFull, isTaken, counted)} then ${busyTuples.loose()} else ${whole} end`
    : whole
  return sql`
    (
      select concat('[[', near.rows, '],[', concat_ws(',', near.counted, (
        select string_agg(place, ',') from (
          select ${place} as place from ${inside} where ${isTaken} group by appointment_id, expires_at
        ) as places
      ))${left}, ']]')
      from (
        select string_agg(${row}, ',') as rows,
          array_agg(id) filter (where counted_to is null ${showsFull ? sql`and ${needsParticipations}` : sql``}) as ids,
          array_agg(id) filter (where counted_to is not null) as groups,
          array_agg(counted_to) filter (where counted_to is not null) as counted_to,
          string_agg(concat('[', id, ',null,', ${counted}, ']'), ',') filter (where counted_to is not null) as counted
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

/** Sorted by start. */
export function readRows(packed: PackedAppointments): WindowAppointment[] {
  const [sent, places, left = []] = JSON.parse(packed) as [(Tuple<Sent> | unknown)[], Place[], number[]?]
  const placesOf = countPlaces(places)
  const rows: WindowAppointment[] = []
  for (let at = 0; at < sent.length; ) {
    const one = sent[at]
    rows.push(Array.isArray(one) ? readWhole(one, placesOf) : readBusy(sent, at, placesOf))
    at += Array.isArray(one) ? 1 : busyTuples.width
  }
  // If the Appointment continues without the person who moves, they still count in it: they cannot join it a
  // second time.
  for (const row of left.length > 0 ? rows : [])
    if (!isLeftover(row)) row.taken += left.filter(id => id === row.id).length
  return rows.sort((one, other) => one.start - other.start || one.id! - other.id!)
}

type Places = { taken: number; holdUntil: number | null }
type PlacesOf = (id: number | null) => Places

const noPlaces: Places = { taken: 0, holdUntil: null }

function countPlaces(places: Place[]): PlacesOf {
  const byId = new Map<number | null, Places>()
  for (const place of places) {
    const [id, holdUntil, count = 1] = typeof place === 'number' ? [place, null] : place
    const known = byId.get(id)
    if (!known) byId.set(id, { taken: count, holdUntil })
    else {
      known.taken += count
      known.holdUntil = sooner(known.holdUntil, holdUntil)
    }
  }
  return id => byId.get(id) ?? noPlaces
}

const sooner = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

const readWhole = (tuple: Tuple<Sent>, placesOf: PlacesOf): WindowAppointment => {
  const sent = appointmentTuples.read(tuple)
  return Object.assign(sent, placesOf(sent.id))
}

/** Marks an Appointment that is merely busy. */
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

/** A consumer Appointment that is empty because all its holds have expired. */
export const isLeftover = ({ isOfConsumers, taken }: WindowAppointment) => isOfConsumers && taken === 0

/**
 * A pending move by less than the Appointment's length leaves two overlapping Appointments, one of which will
 * end. Neither accepts other people until then.
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

export const withoutLeftovers = (rows: WindowAppointment[], timeslotOf: TimeslotFinder) =>
  closeUndecided(rows.filter(row => !isLeftover(row))).map(row => asAppointment(row, timeslotOf))

/** Null if a contact is missing or a move is pending: its effect on others needs the complete window. */
export function readAppointments(packed: PackedAppointments, timeslotOf: TimeslotFinder) {
  const rows = readRows(packed)
  if (rows.some(row => isClaimed(row) || row.contact !== null)) return null
  return withoutLeftovers(rows, timeslotOf)
}

export const isClaimed = (row: WindowAppointment) => row.claim !== null

/** An Appointment is not open if its Timeslot was not read: it is closed, or outside the request. */
function asAppointment(row: WindowAppointment, timeslotOf: TimeslotFinder): Appointment {
  const { timeslotId, acceptsBookings, start, end } = row
  if (isBusy(row)) return row as WindowAppointment & Placed
  const timeslot = timeslotOf(timeslotId, start, end)
  const open = acceptsBookings && (timeslotId === null || timeslot?.bookable === true)
  return Object.assign(row, { timeslotUuid: timeslot?.uuid ?? null, open })
}

export type TimeslotFinder = (id: number | null, start: number, end: number) => Timeslot | undefined

/**
 * An Appointment created by the provider has no Timeslot; consumers see it in the Timeslot that contains it.
 */
export function timeslotFinder(slots: Timeslot[]): TimeslotFinder {
  const byId = new Map(slots.map(slot => [slot.id, slot]))
  const bookable = slots.filter(slot => slot.bookable)
  const starts = bookable.map(slot => slot.start)
  // latestEnds[i]: the latest end of the first i + 1 Timeslots, which may overlap.
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
