import sql, { join } from 'sql-template-tag'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { day, maxPlacesAtOnce, type Span } from '../../rules/offers/window.ts'
import { type FreeSlot, wholeDay } from '../../rules/waiting/wish.ts'
import { changeNotice } from '../base/conditions.ts'
import { jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import { placesOfEntry } from './waiting-entries.ts'

// Who on the waiting list would take a time, and who of them is next.

/** A time that was given up: the blocked span, at a Resource that the caller has locked. */
export type FreedTime = Span & { resourceId: number }

/** What an entry waits for, by which it is found. A person who waits for none of these words is not read at all. */
const keys = sql`waiting_keys(state, provider_id, product_id, resource_ids, weekdays, from_date, to_date, from_minute, to_minute)`

/**
 * The places of these Appointments, if a person waits for the Resource on that day. Costs a look
 * into an index if the list is empty, and a second one if no wish fits.
 */
export async function freedByAppointments(
  tx: Queryable,
  appointmentIds: number[],
): Promise<{ providerId: number; freed: FreedTime[] }[]> {
  const rows = await tx.query<FreedTime & { providerId: number }>(sql`
    select provider_id, resource_id, blocked_from as "from", blocked_to as "to" from appointment
    where id = any (${appointmentIds}::bigint[]) and blocked_to > app_clock() and case when (
      select true from waiting_entry where provider_id = appointment.provider_id and state = 'WAITING' limit 1
    ) then (
      with day as materialized (
        select date::date from (select time_zone from provider where id = appointment.provider_id) as provider, generate_series(
          (blocked_from at time zone time_zone)::date - 1, (blocked_to at time zone time_zone)::date, interval '1 day'
        ) as date
      )
      select true from waiting_entry
      where ${keys} && array(
        select place || ' on ' || weekday
        from unnest(array[appointment.resource_id::text, 'any of ' || appointment.provider_id]) as place,
          (select 'any' as weekday union all select (date_part('isodow', date) - 1)::text from day) as weekday
      ) and ${keys} && array(select 'week ' || (date - date '2000-01-03') / 7 from day)
      limit 1
    ) end
    order by resource_id, blocked_from
  `)
  return [...Map.groupBy(rows, row => row.providerId)].map(([providerId, freed]) => ({ providerId, freed }))
}

/** `capacityLeft`: a person may wait for several places. */
export type OfferedSlot = FreeSlot & {
  capacityLeft?: number
  channelKey: ChannelKey
  expiresAt: number
  position: number
}

export type NextInLine = {
  entryId: number
  customerId: number
  replaces: number | null
  name: string
  email: string | null
  mobile: string | null
  language: string | null
  locale: string | null
  entryZone: string | null
  places: number
  position: number
}

type Wanted = { entryId: number; wish: string; position: number }

/** So many in line are looked at one by one: where many would take a time, one of the first does. */
const lookedAtFirst = 100

/** The first person in line who would take one of these times, and which. Locks nothing. */
export async function findWanted(
  db: Queryable,
  providerId: number,
  slots: OfferedSlot[],
  passedOver: number[] = [],
  oneByOne = lookedAtFirst,
): Promise<Wanted | null> {
  if (slots.length === 0) return null
  const taker = sql`
    cross join lateral (
      select position from slot where ${wouldTake} and slot.channel_key = entry.channel_key
      order by slot.start_at, position limit 1
    ) as slot
    cross join lateral (
      select from customer where id = entry.customer_id and email is not null and not (
        select count(*) > 0 from waiting_offer
        where provider_id = entry.provider_id and waiting_offer.customer_id = entry.customer_id and outcome is null
      ) offset 0
    ) as customer
    where id <> all (${passedOver}::bigint[])
    order by ${order} limit 1
  `
  return db.first<Wanted>(sql`
    with slot as materialized (${slotRows(slots)})
    (
      select id as entry_id, wish, position from (
        select ${columns} from waiting_entry where provider_id = ${providerId} and state = 'WAITING' order by ${order} limit ${oneByOne}
      ) as entry ${taker}
    ) union all (
      select id as entry_id, wish, position from (
        select * from (${wantingSome(providerId, slots)}) as entry order by ${order} offset 0
      ) as entry ${taker}
    ) limit 1
  `)
}

const order = sql`priority desc, since, id`

/** What sorts comes first, and nothing else is read: sorting wide rows takes longer than finding them. */
const columns = sql`
  priority, since, id, provider_id, customer_id, product_id, from_date, to_date, from_minute, to_minute, weekdays, replaces,
  resource_ids, channel_key, wish, places
`

/** Rules out most of the others before each time is compared. */
function mayMatch(slots: FreeSlot[]) {
  const dates = slots.map(one => one.date).sort()
  const latest = Math.max(...slots.map(one => one.fromMinute))
  const earliest = Math.min(wholeDay, ...slots.map(one => one.toMinute))
  return sql`to_date >= ${dates[0]}::date and from_date <= ${dates.at(-1)}::date
    and from_minute <= ${latest}::integer and to_minute >= ${earliest}::integer`
}

/**
 * The question of `matches` in rules/waiting/wish.ts. Never the same time twice, no second place beside their own, never
 * later than the booking that it would replace, and not once that can no longer be moved.
 */
const wouldTake = sql`
  slot.capacity_left >= ${placesOfEntry} and slot.product_id = entry.product_id and (entry.resource_ids is null or slot.resource_id = any (entry.resource_ids))
    and slot.date between entry.from_date and entry.to_date and slot.weekday_bit & entry.weekdays <> 0
    and slot.from_minute >= entry.from_minute and least(slot.to_minute, ${wholeDay}::integer) <= entry.to_minute
    and not exists (
      select from waiting_offer
      where entry_id = entry.id and resource_id = slot.resource_id and waiting_offer.start_at = slot.start_at
    )
    and (entry.replaces is null or slot.start_at < (
      select appointment.start_at from participation join appointment on appointment.id = appointment_id
      where participation.id = entry.replaces and participation.state = 'BOOKED'
        and appointment.start_at - make_interval(mins => ${changeNotice}) > app_clock()
    ))
    and not exists (
      select from participation join appointment on appointment.id = appointment_id
      where participation.customer_id = entry.customer_id and participation.state in ('BOOKED', 'REQUESTED')
        and appointment.resource_id = slot.resource_id and appointment.start_at = slot.start_at and appointment.state = 'ACTIVE'
    )
`

type AskedSlot = FreeSlot & Partial<Pick<OfferedSlot, 'position' | 'channelKey' | 'capacityLeft'>>

const slotRows = (slots: AskedSlot[]) => sql`
  select * from jsonb_to_recordset(${jsonRows(slots.map(asRow))}::jsonb) as slot (position integer, product_id bigint,
    resource_id bigint, channel_key text, date date, weekday_bit smallint, from_minute integer, to_minute integer,
    start_at timestamptz, capacity_left integer)
`

/** Only these fields: candidates carry the whole window they were found in. */
const asRow = (slot: AskedSlot) => {
  const { position, productId, resourceId, channelKey, date, weekdayBit, fromMinute, toMinute } = slot
  const startAt = new Date(slot.start).toISOString()
  // The calendar asks for a single time without counting its places.
  const { capacityLeft = maxPlacesAtOnce } = slot
  return {
    position,
    productId,
    resourceId,
    channelKey,
    date,
    weekdayBit,
    fromMinute,
    toMinute,
    startAt,
    capacityLeft,
  }
}

/** Entries whose words name one of these times: few more than those that match. */
function wantingSome(providerId: number, slots: FreeSlot[]) {
  const places = slots.flatMap(({ resourceId, weekdayBit }) =>
    [resourceId, `any of ${providerId}`].flatMap(place =>
      ['any', Math.log2(weekdayBit)].map(weekday => `${place} on ${weekday}`),
    ),
  )
  const products = slots.map(({ productId }) => `product ${productId}`)
  const weeks = slots.map(({ date }) => `week ${Math.floor((Date.parse(date) - firstMonday) / (7 * day))}`)
  const hours = ['any hour', ...slots.map(({ fromMinute }) => `hour ${Math.floor(fromMinute / 60)}`)]
  const named = [products, places, weeks, hours].map(words => sql`${keys} && ${[...new Set(words)]}::text[]`)
  return sql`select ${columns} from waiting_entry where ${join(named, ' and ')} and ${mayMatch(slots)} offset 0`
}

const firstMonday = Date.UTC(2000, 0, 3)

/** The same, locked. Passes over an entry that is being changed or offered something right now. */
export async function findNextInLine(
  tx: Queryable,
  providerId: number,
  slots: OfferedSlot[],
  passedOver: number[],
): Promise<NextInLine | null> {
  for (const passed = [...passedOver]; ; ) {
    const wanted = await findWanted(tx, providerId, slots, passed)
    if (!wanted) return null
    const { entryId, wish, position } = wanted
    const rows = await tx.query<Omit<NextInLine, 'position'>>(sql`
      select entry.id as entry_id, entry.customer_id, entry.replaces, customer.name, customer.email,
        case when 'mobile' = any (customer.unconfirmed) then null else customer.mobile end as mobile,
        coalesce(entry.language, customer.language) as language, entry.locale, entry.time_zone as entry_zone, ${placesOfEntry} as places
      from waiting_entry as entry join customer on customer.id = entry.customer_id
      where entry.id = ${entryId} and entry.state = 'WAITING' and entry.wish = ${wish}
      for no key update of entry skip locked
    `)
    if (rows[0]) return { ...rows[0], position }
    passed.push(entryId)
  }
}

/** Who would take one of these times, the next one first; for the calendar of the staff. */
export async function listTakers(
  db: Queryable,
  providerId: number,
  slots: FreeSlot[],
  limit: number,
): Promise<{ id: number; customerId: number }[]> {
  if (slots.length === 0) return []
  return db.query<{ id: number; customerId: number }>(sql`
    with slot as materialized (${slotRows(slots)})
    select id, customer_id from (${wantingSome(providerId, slots)}) as entry
    where (select true from slot where ${wouldTake} limit 1) order by ${order} limit ${limit}
  `)
}
