import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import { countBelow, spansOf } from '../../rules/offers/busy.ts'
import type { BookingProcess, ChannelKey } from '../../rules/offers/channels.ts'
import type {
  Appointment,
  ChannelRules,
  Closure,
  Product,
  Timeslot,
  Window,
} from '../../rules/offers/window.ts'
import { linksNoProduct } from '../base/has-any.ts'
import type { Queryable } from '../base/pool.ts'
import {
  flag,
  jsonOrNull,
  listed,
  nothing as none,
  number,
  numberOrNull,
  plain,
  type Tuple,
  type Tuples,
  text,
  textOrNull,
  tuplesOf,
} from '../base/tuples.ts'
import { type ContactPerson, contactPerson } from '../setup/contacts.ts'
import { ownPlaces } from './own-places.ts'

// One statement reads everything that decides what Resources can sell, whatever their number.

export type ResourceWindow = {
  resource: {
    id: number
    uuid: string
    reference: string
    name: string
    revision: number
    address: unknown
    contact: ContactPerson | null
  }
  provider: {
    id: number
    uuid: string
    name: string
    email: string | null
    phone: string | null
    mobile: string | null
    timeZone: string
    language: Language
    termsRequired: boolean
  }
  channel: ChannelRules & {
    uuid: string
    key: ChannelKey
    bookingProcess: BookingProcess
    customersOnly: boolean
  }
  window: Window
  now: number
  /** Appointments whose holds have all expired: they count for nothing, but nobody has tidied them away yet. */
  hasLeftovers: boolean
  /** Somebody has asked to move, and nobody has answered yet. */
  isUndecided: boolean
}

export type WindowRow = {
  position: number
  now: number
  resource: ResourceWindow['resource'] & { archived: boolean }
  provider: ResourceWindow['provider']
  channel: ResourceWindow['channel']
  products: Product[]
  timeslots: Tuples<Timeslot>
  appointments: Tuples<WindowAppointment>
  closures: Tuples<Closure>
}

type WindowBounds = {
  /** Timeslots that end after this ... */
  from: Sql
  /** ... and begin before this, with all Appointments that can be in the way of their slots. */
  to: Sql
  /** Timeslots that are not bookable too: for the explanation. */
  allTimeslots?: boolean
  /** The hold with this placeholder counts for nothing: its holder is asking. */
  ignoring?: Sql
  /** Whoever moves out of the Participation with this uuid asks: what is theirs counts for nothing either. */
  leaving?: Sql
  /**
   * For one booking, whose beginning and end are known: what is near it, and without the Resource's contact, which only
   * lists show. `raster` is that of its Timeslot, up to a line of which it blocks the time behind it; `meaning` is read along.
   */
  target?: { raster: Sql; meaning: Sql }
  /** A short period: what is in it is a short piece of the index, whatever comes after it. */
  isShort?: boolean
  /** For lists, which show an Appointment only if somebody can join it, or if the channel shows full ones. */
  showsFull?: Sql
}

/** From now on, or later; to the end of time, or earlier; for whoever leaves a Participation, as if they had left. */
export const fromNowOn = (
  from = 0,
  to = Number.POSITIVE_INFINITY,
  leaving: string | null = null,
): WindowBounds => ({
  from: sql`greatest(app_now(), ${new Date(from)}::timestamptz)`,
  to: sql`${to === Number.POSITIVE_INFINITY ? 'infinity' : new Date(to)}::timestamptz`,
  showsFull: sql`channel.show_full`,
  ...(leaving ? { leaving: sql`${leaving}::uuid` } : {}),
})

// date_part and not extract: it counts with floating point numbers, in half the time, and is exact to the microsecond.
const ms = (column: Sql) => sql`(date_part('epoch', ${column}) * 1000)::bigint`

/** No time at all: the Resource and its Provider alone. */
export const nothing: WindowBounds = { from: sql`'infinity'::timestamptz`, to: sql`'-infinity'::timestamptz` }

/** All that lies in the period or can disturb what does, closed Timeslots too. */
export const explainedPeriod = (from: number, to: number): WindowBounds => ({
  from: sql`${new Date(from)}::timestamptz - interval '8 days'`,
  to: sql`${new Date(to)}::timestamptz + interval '8 days'`,
  allTimeslots: true,
})

/** The windows of these Resources through these channels, in the order asked for. */
export async function loadWindows(
  db: Queryable,
  wanted: { resourceId: number; channelKey: ChannelKey }[],
  bounds: WindowBounds,
): Promise<ResourceWindow[]> {
  const source = sql`unnest(${wanted.map(one => one.resourceId)}::bigint[], ${wanted.map(one => one.channelKey)}::text[])
    with ordinality as wanted (resource_id, channel_key, position)`
  const rows = await db.query<WindowRow>(windowQuery(source, bounds))
  return withUnlinked(db, rows.map(toWindow))
}

/** Products that the Resource does not link, where an Appointment has one. Hardly ever: then they are asked for. */
export async function withUnlinked<T extends ResourceWindow | null>(
  db: Queryable,
  windows: T[],
): Promise<T[]> {
  const missing = windows.map(loaded => (loaded ? unlinkedOf(loaded.window) : []))
  if (missing.every(ids => ids.length === 0)) return windows
  const found = await findProducts(db, missing.flat())
  return windows.map((loaded, index) => {
    const unlinked = found.filter(one => missing[index]!.includes(one.id))
    return loaded && { ...loaded, window: { ...loaded.window, unlinked } }
  })
}

export function unlinkedOf({ products, appointments }: Pick<Window, 'products' | 'appointments'>): number[] {
  const linked = new Set(products.map(one => one.id))
  const known = appointments.filter(one => !isBusy(one))
  return [...new Set(known.map(one => one.productId))].filter(id => !linked.has(id))
}

const findProducts = (db: Queryable, ids: number[]) =>
  db.query<Product>(sql`
    select id, uuid, name, min_duration, max_duration, lead_minutes, follow_up_minutes
    from product where id = any (${ids}::bigint[])
  `)

// `offset 0` is a fence: each row is looked up in its index. The planner takes the list of what is wanted for a long one
// and would rather read whole tables.
export function windowQuery(wanted: Sql, bounds: WindowBounds): Sql {
  const { target } = bounds
  return sql`
    select wanted.position, app_clock() as now, ${target ? sql`${target.meaning},` : sql``}
      json_build_object('id', resource.id, 'uuid', resource.uuid, 'reference', resource.reference,
        'name', resource.public_name, 'revision', resource.revision, 'archived', resource.archived,
        'address', resource.address, 'contact', ${target ? sql`null::json` : contact}) as resource,
      json_build_object('id', provider.id, 'uuid', provider.uuid, 'name', provider.name,
        'email', provider.email, 'phone', provider.phone, 'mobile', provider.mobile, 'timeZone', provider.time_zone,
        'language', provider.language, 'termsRequired', provider.terms_required) as provider,
      json_build_object('uuid', channel.uuid, 'key', channel.key, 'visible', channel.visible,
        'bookingProcess', booking_process, 'customersOnly', customers_only, 'productIds', product_ids,
        'minimumNoticeMinutes', minimum_notice_minutes, 'horizonDays', horizon_days, 'showFull', show_full) as channel,
      offer.products, ${timeslots(bounds)} as timeslots, ${appointments(bounds)} as appointments,
      ${closures(bounds)} as closures
    from ${wanted}
    cross join lateral (select * from resource where id = wanted.resource_id offset 0) as resource
    cross join lateral (select * from provider where id = resource.provider_id offset 0) as provider
    cross join lateral (
      select * from channel where resource_id = resource.id and key = wanted.channel_key offset 0
    ) as channel
    cross join lateral (${offer(target ? sql`coalesce(max(follow_up_minutes), 0) + ${target.raster}` : farthest)}) as offer
    order by wanted.position
  `
}

/** How far behind its own beginning a slot can be disturbed: its length, its buffer, and a raster, which is a day at most. */
const farthest = sql`
  coalesce(max(greatest(min_duration, max_duration, 0) + coalesce(follow_up_minutes, 0)), 0) + 1440
`

/**
 * The Products, and how far before and behind itself
 * a slot for one of them can be disturbed.
 */
const offer = (reach: Sql) => sql`
  select coalesce(json_agg(json_build_object('id', product.id, 'uuid', product.uuid, 'name', product.name,
      'minDuration', min_duration, 'maxDuration', max_duration, 'leadMinutes', lead_minutes,
      'followUpMinutes', follow_up_minutes) order by position, product.id), '[]'::json) as products,
    coalesce(max(lead_minutes), 0) as lead, ${reach} as reach
  from product left join resource_product on product_id = product.id and resource_id = resource.id
  where product.provider_id = resource.provider_id and (
    resource_id is not null or ${linksNoProduct}
  )
`

const isBookable = sql`state = 'BOOKABLE' and default_accept_bookings`

const timeslotTuples = tuplesOf<Timeslot>({
  id: number(sql`id`),
  uuid: plain(sql`uuid`),
  start: number(ms(sql`start_at`)),
  end: number(ms(sql`end_at`)),
  raster: number(sql`raster`),
  capacity: number(sql`default_capacity`),
  bookable: flag(isBookable),
})

function timeslots({ from, to, allTimeslots = false }: WindowBounds): Sql {
  return sql`
    (
      select ${listed(timeslotTuples.packed(), sql`start_at, id`)}
      from timeslot
      where resource_id = resource.id and end_at > ${from} and start_at < ${to}
        and (${allTimeslots} or (${isBookable}))
    )
  `
}

const closureTuples = tuplesOf<Closure>({
  from: number(ms(sql`from_at`)),
  to: number(ms(sql`to_at`)),
  reason: textOrNull(sql`(select reason from closure where id = closure_id)`),
  isBlock: flag(sql`(select is_block from closure where id = closure_id)`),
})

/** Of the whole Provider and of this Resource. Why it is closed is told to whoever is refused, not to lists. */
function closures({ from, to, allTimeslots = false, target }: WindowBounds): Sql {
  const untold = { reason: none, isBlock: sql`'false'` }
  const closedTimes = (whose: Sql) => sql`
    select * from closed_time
    where provider_id = resource.provider_id and ${whose}
      and to_at > ${from} and from_at < ${to} + make_interval(mins => offer.reach)
  `
  return sql`
    (
      select ${listed(closureTuples.packed(allTimeslots || target ? {} : untold), sql`from_at`)}
      from (
        ${closedTimes(sql`resource_id is null`)} union all ${closedTimes(sql`resource_id = resource.id`)} offset 0
      ) as closed_time
    )
  `
}

/** Whether it has one, for whoever then asks for everything: looking for it takes as long to begin as all the rest. */
const hasContact = sql`case when appointment.contact_user_id is null then 'null' else 'true' end`

/** Few have a contact of their own: the others cost nothing. */
const ownContact = sql`
  case when appointment.contact_user_id is not null
    then ${contactPerson(sql`appointment.contact_user_id`, sql`appointment.contact_profile_id`)} end
`

export type WindowAppointment = Required<Omit<Appointment, 'timeslotUuid' | 'open'>> & {
  claim: number | null
  timeslotId: number | null
  acceptsBookings: boolean
  isLeftover: boolean
}

const appointmentTuples = tuplesOf<WindowAppointment>({
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
  taken: number(sql`taken`),
  acceptsBookings: flag(sql`accept_bookings`),
  holdUntil: numberOrNull(ms(sql`hold_until`)),
  contact: jsonOrNull(ownContact),
  isLeftover: flag(sql`origin = 'consumer' and taken = 0`),
})

/** Nobody can join it, and no list shows it: all that matters is when it is in the way. That is what most of them are. */
type Busy = Pick<WindowAppointment, 'id' | 'blockedFrom' | 'blockedTo' | 'holdUntil'>

const busyTuples = tuplesOf<Busy>({
  id: number(sql`id`),
  blockedFrom: number(ms(sql`blocked_from`)),
  blockedTo: number(ms(sql`blocked_to`)),
  holdUntil: numberOrNull(ms(sql`hold_until`)),
})

const isMerelyBusy = (showsFull: Sql) => sql`
  (taken > 0 or origin = 'provider') and claim is null
    and (not accept_bookings or (taken >= capacity and not ${showsFull}))
`

const noDetails: Omit<WindowAppointment, keyof Busy | 'start' | 'end'> = {
  uuid: '',
  reference: '',
  claim: null,
  timeslotId: null,
  productId: 0,
  productName: null,
  price: null,
  capacity: 0,
  taken: 0,
  acceptsBookings: false,
  contact: null,
  isLeftover: false,
}

const isBusy = ({ productId }: Pick<Appointment, 'productId'>) => productId === noDetails.productId

function readRow(tuple: Tuple<WindowAppointment | Busy>): WindowAppointment {
  if (tuple.length > 4) return appointmentTuples.read(tuple as Tuple<WindowAppointment>)
  const busy = busyTuples.read(tuple as Tuple<Busy>)
  return { ...noDetails, ...busy, start: busy.blockedFrom, end: busy.blockedTo }
}

const readRows = (appointments: Tuples<WindowAppointment>) =>
  (JSON.parse(appointments) as Tuple<WindowAppointment>[]).map(readRow)

/**
 * ACTIVE ones that block something in the period; an Appointment of consumers with nobody in it is gone. `offset 0` is
 * a fence: looking through it, the planner would take an index in the order of time and read everybody's Appointments.
 * Participations are read in the order of their index: otherwise, before the first statistics, each look-up makes a bitmap.
 */
export function appointments({ from, to, ignoring, leaving, target, isShort, showsFull }: WindowBounds): Sql {
  const whole = appointmentTuples.packed(target ? { contact: none } : isShort ? { contact: hasContact } : {})
  const row = showsFull
    ? sql`case when ${isMerelyBusy(showsFull)} then ${busyTuples.packed()} else ${whole} end`
    : whole
  // What the CRM reserved has no placeholder, and whoever asks may have none: nothing is the same hold as nothing.
  const counts = ignoring
    ? sql`and (participation.state <> 'RESERVED' or (placeholder = ${ignoring}) is not true)`
    : sql``
  const stays = leaving ? sql`and participation.id <> all (array (${ownPlaces(leaving)}))` : sql``
  return sql`
    (
      select ${listed(row, sql`start_at, id`)}
      from (
        select * from appointment
        where appointment.resource_id = resource.id and appointment.state = 'ACTIVE'
          and appointment.deleted_at is null and blocked_to > ${from} - make_interval(mins => offer.lead)
          and blocked_from < ${to} + make_interval(mins => offer.reach)
          ${target || isShort ? sql`and blocked_to < ${to} + make_interval(mins => offer.reach) + resource.longest_block` : sql``}
        offset 0
      ) as appointment
      cross join lateral (
        select count(*) as taken, min(expires_at) as hold_until
        from (select * from participation where appointment_id = appointment.id order by id offset 0) as participation
        where takes_place(participation.state, expires_at, app_clock()) ${counts} ${stays}
      ) as places
    )
  `
}

const contact = contactPerson(sql`resource.contact_user_id`, sql`resource.contact_profile_id`)

export function toWindow({
  now,
  resource,
  provider,
  channel,
  products,
  timeslots,
  appointments,
  closures,
}: WindowRow): ResourceWindow {
  const slots = timeslotTuples.readAll(timeslots)
  const all = readRows(appointments)
  const living = livingOnes(all, timeslotFinder(slots))
  return {
    now,
    hasLeftovers: living.length < all.length,
    isUndecided: all.some(isClaimed),
    resource,
    provider,
    channel,
    window: {
      archived: resource.archived,
      channel,
      products,
      timeslots: slots,
      appointments: living,
      closed: spansOf(closureTuples.readAll(closures)),
    },
  }
}

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

/** Without those whose holds have all expired. */
const livingOnes = (rows: WindowAppointment[], timeslotOf: TimeslotFinder) =>
  closeUndecided(rows.filter(row => !row.isLeftover)).map(row => asAppointment(row, timeslotOf))

/**
 * Null where a contact is missing, or where somebody's move is undecided: what that means for others is seen with everything in
 * view only.
 */
export function readAppointments(appointments: Tuples<WindowAppointment>, timeslotOf: TimeslotFinder) {
  const rows = readRows(appointments)
  return rows.some(row => isClaimed(row) || row.contact !== null) ? null : livingOnes(rows, timeslotOf)
}

const isClaimed = (row: WindowAppointment) => row.claim !== null

/** One whose own Timeslot is not among those that are read is not open: its Timeslot is closed, or not asked for. */
function asAppointment(row: WindowAppointment, timeslotOf: TimeslotFinder): Appointment {
  const { timeslotId, acceptsBookings, start, end } = row
  if (isBusy(row)) return { ...row, timeslotUuid: null, open: false }
  const timeslot = timeslotOf(timeslotId, start, end)
  const open = acceptsBookings && (timeslotId === null || timeslot?.bookable === true)
  return { ...row, timeslotUuid: timeslot?.uuid ?? null, open }
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
