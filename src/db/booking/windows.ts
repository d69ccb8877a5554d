import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import { spansOf } from '../../rules/offers/busy-spans.ts'
import type { BookingProcess, ChannelKey } from '../../rules/offers/channels.ts'
import type { ChannelRules, Closure, Product, Span, Timeslot, Window } from '../../rules/offers/window.ts'
import { linksNoProduct } from '../base/conditions.ts'
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
import {
  appointments,
  isBusy,
  isClaimed,
  isLeftover,
  ms,
  type PackedAppointments,
  readRows,
  timeslotFinder,
  withoutLeftovers,
} from './window-appointments.ts'

// One statement reads everything that decides what any number of Resources can sell.

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
  /** There are Appointments whose holds have all expired: they block nothing, but are not deleted yet. */
  hasLeftovers: boolean
  /** A request to move is pending. */
  isUndecided: boolean
}

export type WindowRow = {
  position: number
  now: number
  /** A text: `[Resource, Provider, channel, [Product, ...]]`. */
  head: string & { readonly of?: Head }
  timeslots: Tuples<Timeslot>
  appointments: PackedAppointments
  closures: Tuples<Closure>
  outside: Tuples<Span>
}

type Head = [
  resource: Tuple<SentResource>,
  provider: Tuple<ResourceWindow['provider']>,
  channel: Tuple<ResourceWindow['channel']>,
  products: Tuple<SentProduct>[],
]
type SentResource = ResourceWindow['resource'] & { archived: boolean }
type SentProduct = Required<Product> & { position: number | null }

type WindowBounds = {
  /** Timeslots that end after this ... */
  from: Sql
  /** ... and start before this, with all Appointments that can conflict with their slots. */
  to: Sql
  /** Also Timeslots that are not bookable, for explanations. */
  allTimeslots?: boolean
  /** The placeholder of the caller's own hold, which is ignored. */
  ignoring?: Sql
  /** The uuid of the Participation that the caller moves; all the caller's places are ignored. */
  leaving?: Sql
  /**
   * For one booking with known start and end: reads only what is near, and not the Resource's contact, which
   * only lists show. The time after the booking is blocked up to the next line of its Timeslot's `raster`;
   * `meaning` is selected too.
   */
  target?: { raster: Sql; meaning: Sql }
  /** For lists, which show an Appointment only if it can be joined or the channel shows full ones. */
  showsFull?: Sql
}

/** From now or `from`, whichever is later, up to `to`; optionally as if the Participation `leaving` had ended. */
export const fromNow = (
  from = 0,
  to = Number.POSITIVE_INFINITY,
  leaving: string | null = null,
): WindowBounds => ({
  from: sql`greatest(app_now(), ${new Date(from)}::timestamptz)`,
  to: sql`${to === Number.POSITIVE_INFINITY ? 'infinity' : new Date(to)}::timestamptz`,
  showsFull: sql`channel.show_full`,
  ...(leaving ? { leaving: sql`${leaving}::uuid` } : {}),
})

/** Reads no period: only the Resource and its Provider. */
export const emptyBounds: WindowBounds = {
  from: sql`'infinity'::timestamptz`,
  to: sql`'-infinity'::timestamptz`,
}

/** Everything in the period or in conflict with it, including closed Timeslots. */
export const explainedPeriod = (from: number, to: number): WindowBounds => ({
  from: sql`${new Date(from)}::timestamptz - interval '8 days'`,
  to: sql`${new Date(to)}::timestamptz + interval '8 days'`,
  allTimeslots: true,
})

/** The windows of these Resources through these channels, in the requested order. */
export async function loadWindows(
  db: Queryable,
  wanted: { resourceId: number; channelKey: ChannelKey }[],
  bounds: WindowBounds,
): Promise<ResourceWindow[]> {
  const source = sql`unnest(${wanted.map(one => one.resourceId)}::bigint[], ${wanted.map(one => one.channelKey)}::text[])
    with ordinality as wanted (resource_id, channel_key, position)`
  const rows = await db.query<WindowRow>(windowQuery(windowText(bounds), source))
  const ordered = rows.sort((one, other) => one.position - other.position)
  return withUnlinked(db, ordered.map(toWindow))
}

/**
 * Reads Products that an Appointment has but the Resource does not link. This is rare, so it is a second
 * query.
 */
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
    select id, uuid, name, min_duration, max_duration, lead_minutes as lead_time_minutes,
      follow_up_minutes as follow_up_time_minutes, question_keys <> '{}' as asks, max_places, place_names_required
    from product where id = any (${ids}::bigint[])
  `)

const resourceTuple = tuplesOf<SentResource>({
  id: number(sql`resource.id`),
  uuid: plain(sql`resource.uuid`),
  reference: text(sql`resource.reference`),
  name: text(sql`resource.public_name`),
  revision: number(sql`resource.revision`),
  archived: flag(sql`resource.archived`),
  address: jsonOrNull(sql`resource.address`),
  contact: jsonOrNull(contactPerson(sql`resource.contact_user_id`, sql`resource.contact_profile_id`)),
})

const providerTuple = tuplesOf<ResourceWindow['provider']>({
  id: number(sql`provider.id`),
  uuid: plain(sql`provider.uuid`),
  name: text(sql`provider.name`),
  email: textOrNull(sql`provider.email`),
  phone: textOrNull(sql`provider.phone`),
  mobile: textOrNull(sql`provider.mobile`),
  timeZone: text(sql`provider.time_zone`),
  language: text(sql`provider.language`),
  termsRequired: flag(sql`provider.terms_required`),
})

const channelTuple = tuplesOf<ResourceWindow['channel']>({
  uuid: plain(sql`channel.uuid`),
  key: text(sql`channel.key`),
  visible: flag(sql`channel.visible`),
  bookingProcess: plain(sql`booking_process`),
  customersOnly: flag(sql`customers_only`),
  productIds: jsonOrNull(sql`to_json(product_ids)`),
  minimumNoticeMinutes: number(sql`minimum_notice_minutes`),
  horizonDays: numberOrNull(sql`horizon_days`),
  showFull: flag(sql`show_full`),
})

const productTuples = tuplesOf<SentProduct>({
  id: number(sql`product.id`),
  uuid: plain(sql`product.uuid`),
  name: text(sql`product.name`),
  minDuration: numberOrNull(sql`min_duration`),
  maxDuration: numberOrNull(sql`max_duration`),
  leadTimeMinutes: numberOrNull(sql`lead_minutes`),
  followUpTimeMinutes: numberOrNull(sql`follow_up_minutes`),
  asks: flag(sql`question_keys <> '{}'`),
  maxPlaces: number(sql`max_places`),
  placeNamesRequired: flag(sql`place_names_required`),
  position: numberOrNull(sql`position`),
})

const resourceOfList = resourceTuple.packed()
const resourceOfTarget = resourceTuple.packed({ contact: none })
const [packedProvider, packedChannel] = [providerTuple.packed(), channelTuple.packed()]
const packedProducts = listed(productTuples.packed())

/** The text around the wanted rows. Made once where the bounds are the same for every request. */
type WindowText = { columns: Sql; tables: Sql }

// `offset 0` is a fence: each row is looked up in its index. The planner overestimates the number of wanted
// rows and would read whole tables.
export function windowText(bounds: WindowBounds): WindowText {
  const { target } = bounds
  const columns = sql`
    select wanted.position, app_clock() as now, ${target ? sql`${target.meaning},` : sql``}
      concat('[', ${target ? resourceOfTarget : resourceOfList}, ',', ${packedProvider}, ',', ${packedChannel}, ',', offer.products, ']') as head,
      ${timeslots(bounds)} as timeslots, ${appointments(around(bounds))} as appointments,
      ${closures(bounds)} as closures, ${outside(bounds)} as outside`
  const tables = sql`
    cross join lateral (select * from resource where id = wanted.resource_id offset 0) as resource
    cross join lateral (select * from provider where id = resource.provider_id offset 0) as provider
    cross join lateral (
      select * from channel where resource_id = resource.id and key = wanted.channel_key offset 0
    ) as channel
    cross join lateral (${offer(target ? sql`coalesce(max(follow_up_minutes), 0) + ${target.raster}` : maxReach)}) as offer`
  return { columns, tables }
}

/** Unordered: `position` says which row belongs to which wanted one. */
export const windowQuery = ({ columns, tables }: WindowText, wanted: Sql) =>
  sql`${columns} from ${wanted} ${tables}`

const around = ({ target, ...bounds }: WindowBounds) => ({
  ...bounds,
  isShort: target !== undefined,
  contacts: target ? ('left out' as const) : ('read' as const),
})

/**
 * How far after its start a slot can conflict: its length, its buffer and one raster step, which is at most a
 * day.
 */
const maxReach = sql`
  coalesce(max(greatest(min_duration, max_duration, 0) + coalesce(follow_up_minutes, 0)), 0) + 1440
`

/** The Products, and how far before and after its start a slot for one of them can conflict. */
const offer = (reach: Sql) => sql`
  select ${packedProducts} as products,
    coalesce(max(lead_minutes), 0) as lead, ${reach} as reach
  from product left join resource_product on product_id = product.id and resource_id = resource.id
  where product.provider_id = resource.provider_id and product.deleted_at is null and (
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
      select ${listed(timeslotTuples.packed())}
      from timeslot
      where resource_id = resource.id and end_at > ${from} and start_at < ${to}
        and ${allTimeslots ? sql`true` : isBookable}
    )
  `
}

const closureTuples = tuplesOf<Closure>({
  from: number(ms(sql`from_at`)),
  to: number(ms(sql`to_at`)),
  reason: textOrNull(sql`(select reason from closure where id = closure_id)`),
  isBlock: flag(sql`(select is_block from closure where id = closure_id)`),
})

/** Closures of the Provider and of this Resource. The reason is included for refusals only, not for lists. */
function closures({ from, to, allTimeslots = false, target }: WindowBounds): Sql {
  const withoutReason = { reason: none, isBlock: sql`'false'` }
  const closedTimes = (whose: Sql) => sql`
    select * from closed_time
    where provider_id = resource.provider_id and ${whose}
      and to_at > ${from} and from_at < ${to} + make_interval(mins => offer.reach)
  `
  return sql`
    (
      select ${listed(closureTuples.packed(allTimeslots || target ? {} : withoutReason))}
      from (
        ${closedTimes(sql`resource_id is null`)} union all ${closedTimes(sql`resource_id = resource.id`)} offset 0
      ) as closed_time
    )
  `
}

const outsideTuples = tuplesOf<Span>({
  from: number(ms(sql`from_at`)),
  to: number(ms(sql`to_at`)),
})

/** A source that must be fresh and is not closes its Resource for all time. */
const allTime = sql`
  select '1900-01-01'::timestamptz as from_at, '9999-01-01'::timestamptz as to_at
  from calendar_source where resource_id = resource.id and closed_since is not null
`

/** Busy times of external calendars, with the buffers of slots. None is longer than a day, which keeps the search short. */
function outside({ from, to }: WindowBounds): Sql {
  return sql`
    (
      select ${listed(outsideTuples.packed())}
      from (
        select from_at, to_at from busy_span
        where resource_id = resource.id and to_at > ${from} - make_interval(mins => offer.lead)
          and from_at < ${to} + make_interval(mins => offer.reach)
          and to_at <= ${to} + make_interval(mins => offer.reach) + interval '1 day'
        union all ${allTime} offset 0
      ) as busy_outside
    )
  `
}

const byStart = (one: Timeslot, other: Timeslot) => one.start - other.start || one.id - other.id

/** Those without a position come last. */
const byPosition = (one: SentProduct, other: SentProduct) =>
  (one.position ?? Number.POSITIVE_INFINITY) - (other.position ?? Number.POSITIVE_INFINITY) ||
  one.id - other.id

const toProduct = ({ position: _, ...product }: SentProduct): Product => product

export function toWindow(row: WindowRow): ResourceWindow {
  const { now, timeslots, appointments, closures, outside } = row
  const [sentResource, sentProvider, sentChannel, sentProducts] = JSON.parse(row.head) as Head
  const { archived, ...resource } = resourceTuple.read(sentResource)
  const [provider, channel] = [providerTuple.read(sentProvider), channelTuple.read(sentChannel)]
  const products = sentProducts.map(productTuples.read).sort(byPosition).map(toProduct)
  const slots = timeslotTuples.readAll(timeslots).sort(byStart)
  const all = readRows(appointments)
  const active = withoutLeftovers(all, timeslotFinder(slots))
  return {
    now,
    hasLeftovers: all.some(isLeftover),
    isUndecided: all.some(isClaimed),
    resource,
    provider,
    channel,
    window: {
      archived,
      channel,
      products,
      timeslots: slots,
      appointments: active,
      closed: spansOf(closureTuples.readAll(closures)),
      outside: spansOf(outsideTuples.readAll(outside)),
    },
  }
}
