import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { AppointmentRecord, ParticipationInAppointment } from '../../entities/appointment.ts'
import type { EventNoun } from '../../rules/messages/events.ts'
import { earliestStart, hasAny } from '../base/conditions.ts'
import { uncounted } from '../base/counted-places.ts'
import { around, asJson, jsonText, type TextPage, textPages, utcMs } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'
import { changedSince, hasManyChanges, isChangedSince } from '../events.ts'
import { namedAppointments } from './appointments.ts'
import { isNotErased } from './customers.ts'

// The Appointment as integrators read it. The database writes the JSON, so a list of 100,000 passes through
// as text. Timeslots, lists and single responses share this definition.

/** Hides consumer Appointments whose holds have all expired, whether or not they have been cleaned up. */
const isShown = sql`
  (appointment.origin = 'provider' or ${hasAny(sql`
    select from participation where appointment_id = appointment.id
      and (participation.state <> 'RESERVED' or participation.expires_at > app_now())
  `)})
`

/** Reports an Appointment as cancelled as soon as its last consumer has left. */
const state = sql`
  case when appointment.origin = 'consumer' and appointment.state = 'ACTIVE' and not ${hasAny(sql`
    select from participation where appointment_id = appointment.id
      and takes_place(participation.state, participation.expires_at, app_now())
  `)} then 'CANCELLED' else appointment.state end
`

const asBoolean = (value: Sql) => sql`case when ${value} then 'true' else 'false' end`

/** An instant. Appointments start and end at whole milliseconds. */
const utc = (at: Sql) => around('', sql`rtrim(to_json(${at} at time zone 'UTC')::text, '"')`, 'Z"')

/** Text that needs no escaping. */
const plain = (value: Sql) => around('"', value, '"')

/** Null for Participations created with an Appointment and for erased Customers. */
const customer = sql`(select reference from customer where customer.id = participation.customer_id and ${isNotErased})`

const participation = jsonText<ParticipationInAppointment>({
  reference: sql`to_json(participation.reference)`,
  email: asJson(sql`participation.email`),
  mobile: asJson(sql`participation.mobile`),
  name: asJson(sql`participation.name`),
  note: asJson(sql`participation.note`),
  customerReference: asJson(customer),
  state: plain(sql`participation.state`),
  attendance: sql`coalesce('"' || participation.attendance || '"', 'null')`,
  messages: asJson(sql`case when participation.messages = '{}' then null else participation.messages end`),
  answers: sql`coalesce(participation.answers, '{}'::jsonb)`,
  answersMissing: asBoolean(sql`participation.answers_missing`),
  updatedAt: utcMs(sql`participation.updated_at`),
  places: sql`participation.places`,
  placeNames: sql`to_json(coalesce(participation.place_names, '{}'))`,
})

const isListed = sql`(participation.state <> 'RESERVED' or participation.expires_at > app_now())`

const participations = sql`
  (select string_agg(${participation}, ',' order by participation.id)
  from participation where appointment_id = appointment.id and ${isListed})
`

const price = sql`
  case when appointment.price_value is null then 'null' else
    concat('{"value":', appointment.price_value, ',"currency":', ${asJson(sql`appointment.price_currency`)}, '}') end
`

type Parts = { participations: Sql; contact: Sql; product: Sql; resource: Sql }

/** The parts come from other tables: references and people. */
const recordWith = ({ participations, contact, product, resource }: Parts) =>
  jsonText<AppointmentRecord>({
    uuid: plain(sql`appointment.uuid`),
    reference: sql`to_json(appointment.reference)`,
    acceptBookings: asBoolean(sql`appointment.accept_bookings`),
    address: sql`coalesce(appointment.address, 'null'::jsonb)`,
    archived: asBoolean(sql`appointment.archived`),
    capacity: sql`appointment.capacity`,
    contactReference: asJson(contact),
    description: asJson(sql`appointment.description`),
    start: utc(sql`appointment.start_at`),
    end: utc(sql`appointment.end_at`),
    notes: asJson(sql`appointment.notes`),
    participations: around('[', participations, ']'),
    price,
    productReference: sql`to_json(${product})`,
    resourceReference: sql`to_json(${resource})`,
    seriesId: sql`coalesce('"' || appointment.series_id || '"', 'null')`,
    state: plain(state),
    updatedAt: utcMs(sql`appointment.updated_at`),
  })

const references = {
  contact: sql`(select reference from app_user where id = appointment.contact_user_id)`,
  product: sql`(select reference from product where id = appointment.product_id)`,
  resource: sql`(select reference from resource where id = appointment.resource_id)`,
}

const record = recordWith({ participations, ...references })

export const findAppointmentRecords = (db: Queryable, ids: number[]) =>
  db.column<AppointmentRecord>(sql`
    select ${record}::json as record from appointment where id = any (${ids}) order by start_at, id
  `)

/** Each event repeats the whole Appointment, and a group may have thousands of people. */
const maxInEvent = 100

const inEvent = sql`
  select * from participation where appointment_id = appointment.id and ${isListed} order by id
`

const recordInEvent = recordWith({
  participations: sql`
    (select string_agg(${participation}, ',' order by participation.id)
    from (${inEvent} limit ${maxInEvent}) as participation)
  `,
  ...references,
})

type InEvent = {
  id: number
  uuid: string
  reference: string
  record: AppointmentRecord | null
  total: number
}

/**
 * Visitors' holds cause no events and may end at any moment, so an Appointment that has only those is not
 * reported. Holds for a Customer are.
 */
const isAnnounced = sql`
  (appointment.origin = 'provider' or ${hasAny(sql`
    select from participation where appointment_id = appointment.id and (participation.state <> 'RESERVED'
      or (participation.expires_at > app_now() and participation.customer_id is not null))
  `)})
`

/** For events, by id. Deleted Appointments have no record. `total` counts all Participations, also those left out. */
export const appointmentsById = (db: Queryable, ids: number[]) =>
  db.query<InEvent>(sql`
    select id, uuid, reference, case when deleted_at is null and ${isAnnounced} then ${recordInEvent}::json end as record,
      coalesce(counted_people, 0) + (select count(*)::int from (${uncounted}) as participation where ${isListed}) as total
    from appointment where id = any (${ids}::bigint[])
  `)

export const findAppointmentRecord = (db: Queryable, providerId: number, reference: string) =>
  db.value<AppointmentRecord | null>(sql`
    select ${record}::json as record from (${namedAppointments(providerId, reference)}) as appointment
    where ${isShown} order by archived, id desc limit 1
  `)

/**
 * The records of each Timeslot: Appointments booked in it, and the provider's own within it. Two subqueries,
 * each with its own index; combined, they would read all Appointments of the Resource for every Timeslot.
 */
export const recordsOfTimeslot: Sql = sql`
  concat('[', (
    select string_agg(${record}, ',' order by appointment.start_at, appointment.id)
    from (
      (select * from appointment where timeslot_id = timeslot.id offset 0)
      union all
      (select * from appointment
      where resource_id = timeslot.resource_id and timeslot_id is null
        and start_at >= timeslot.start_at and start_at < timeslot.end_at and end_at <= timeslot.end_at offset 0)
    ) as appointment
    where appointment.deleted_at is null and ${isShown}
  ), ']')::json
`

export type AppointmentFilter = {
  providerId: number
  productRef?: string
  resourceRef?: string
  includeArchived: boolean
  from?: number
  to?: number
  /** Only Appointments changed since then. */
  changedSince?: number
}

/** Where a page starts: after this start and id. */
export type ListPlace = { start: Date | string; id: number }

export const firstPlace: ListPlace = { start: '-infinity', id: 0 }

const pageSize = 1000

/** Pages of records, ordered by time. */
export async function* appointmentTexts(
  db: Queryable,
  filter: AppointmentFilter,
  first: ListPlace,
): AsyncGenerator<string, undefined> {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter
  // An empty period overlaps nothing.
  if (from >= to) return
  yield* textPages(place => readAppointments(db, filter, place, pageSize), first)
}

/** Reads data of another table once per page; each row then finds its entry by key. */
const onceForPage = (key: Sql, entries: Sql) =>
  sql`((select jsonb_object_agg(key, value) ${entries}) ->> ${key}::text)`

const referenceIn = (table: Sql, column: Sql) =>
  onceForPage(
    sql`appointment.${column}`,
    sql`from (
      select id as key, reference as value from ${table} where id = any (array (select distinct ${column} from page))
    ) as named`,
  )

const recordOfPage = recordWith({
  participations: onceForPage(
    sql`appointment.id`,
    sql`from (
      select appointment_id as key, string_agg(${participation}, ',' order by participation.id) as value
      from participation where appointment_id = any (array (select id from page)) and ${isListed}
      group by appointment_id
    ) as people`,
  ),
  contact: referenceIn(sql`app_user`, sql`contact_user_id`),
  product: referenceIn(sql`product`, sql`product_id`),
  resource: referenceIn(sql`resource`, sql`resource_id`),
})

/**
 * Reads one page in index order from where the previous one ended. Unused filters are left out of the
 * statement, because they would affect the plan.
 */
export async function readAppointments(
  db: Queryable,
  filter: AppointmentFilter,
  after: ListPlace,
  size: number,
): Promise<TextPage<ListPlace>> {
  const stretch = await stretchToCheck(db, filter, after)
  const { count, text, lastStart, lastId } = await db.one<PageRow>(sql`
    with page as materialized (${pageOf(filter, after, size, stretch)})
    select count(*) as count, coalesce(string_agg(text, ',' order by start_at, id), '') as text,
      max(start_at) as last_start, (array_agg(id order by start_at, id))[count(*)] as last_id
    from (
      select appointment.id, appointment.start_at, ${recordOfPage} as text from page as appointment
    ) as records
  `)
  const next = count === size ? { start: new Date(lastStart), id: lastId } : (stretch?.end ?? null)
  return { count, text, next }
}

type PageRow = { count: number; text: string; lastStart: number; lastId: number }

/** So many Appointments are checked at once for changes. Some pages are then shorter than asked for. */
const checkedAtOnce = 2000

/** Null `end`: up to the last Appointment. */
type Stretch = { end: ListPlace | null }

/**
 * The Appointments to check for changes, if there were too many changes to collect. Their number is limited,
 * because few of them may have changed.
 */
async function stretchToCheck(
  db: Queryable,
  filter: AppointmentFilter,
  after: ListPlace,
): Promise<Stretch | null> {
  const { changedSince: since, ...rest } = filter
  if (since === undefined) return null
  const nouns: EventNoun[] = ['appointment', 'participation']
  if (!(await hasManyChanges(db, filter.providerId, nouns, new Date(since)))) return null
  const [last] = await db.query<{ start: number; id: number }>(sql`
    select start_at as start, id from (${pageOf(rest, after, checkedAtOnce)}) as checked
    order by start_at, id offset ${checkedAtOnce - 1}
  `)
  return { end: last ? { start: new Date(last.start), id: last.id } : null }
}

const columns = sql`
  id, uuid, reference, origin, accept_bookings, address, archived, capacity, contact_user_id, description,
  start_at, end_at, notes, price_value, price_currency, product_id, resource_id, series_id, state, updated_at
`

/**
 * Of a Provider, or of a Resource, which has its own index. Several Resources may have had the same
 * reference.
 */
function pageOf(
  filter: AppointmentFilter,
  after: ListPlace,
  size: number,
  stretch: Stretch | null = null,
): Sql {
  const { providerId, resourceRef } = filter
  const rows = (whose: Sql, longest: Sql) => sql`
    select ${columns} from appointment
    where ${whose} and deleted_at is null and ${isShown}
      and (start_at, id) > (${firstStart(filter, after, longest)}, ${after.id}::bigint)
      ${conditions(filter, longest)} ${changes(filter, stretch)}
    order by start_at, id limit ${size}
  `
  if (resourceRef === undefined) return rows(sql`provider_id = ${providerId}`, longestOf(providerId))
  return sql`
    select appointment.* from (
      select id, longest_block from resource where provider_id = ${providerId} and reference = ${resourceRef} offset 0
    ) as resource
    cross join lateral (${rows(sql`resource_id = resource.id`, sql`resource.longest_block`)}) as appointment
    order by start_at, id limit ${size}
  `
}

/** The longest block of the Provider, read from the end of an index. */
const longestOf = (providerId: number) => sql`coalesce((
  select longest_block from resource where provider_id = ${providerId} and longest_block > interval '0'
  order by provider_id desc, longest_block desc limit 1
), interval '0')`

/**
 * The lower bound of the index scan. PostgreSQL starts the scan at the row comparison (start, id), even if
 * the other bound is later; on the first page that would read the Provider's whole history.
 */
const firstStart = ({ from }: AppointmentFilter, { start }: ListPlace, longest: Sql) =>
  from === undefined
    ? sql`${start}::timestamptz`
    : sql`greatest(${start}::timestamptz, ${earliestStart(new Date(from), longest)})`

function conditions(filter: AppointmentFilter, longest: Sql): Sql {
  const { providerId, productRef, includeArchived, from, to } = filter
  const wanted = [
    ...(includeArchived ? [] : [sql`and not archived`]),
    ...(from === undefined ? [] : [endsAfter(new Date(from), longest)]),
    ...(to === undefined ? [] : [sql`and start_at < ${new Date(to)}`]),
    ...(productRef === undefined
      ? []
      : [
          sql`and product_id = (
      select id from product where provider_id = ${providerId} and reference = ${productRef})`,
        ]),
  ]
  return wanted.length > 0 ? join(wanted, ' ') : empty
}

/**
 * No Appointment lasts longer than the longest block. With a bound on both columns, the planner estimates a
 * short period and uses its index.
 */
const endsAfter = (from: Date, longest: Sql) => sql`
  and end_at > ${from} and start_at > ${earliestStart(from, longest)}
`

/** Changes to the Appointment or to one of its Participations. */
function changes({ providerId, changedSince: since }: AppointmentFilter, stretch: Stretch | null): Sql {
  if (since === undefined) return empty
  const moment = new Date(since)
  if (stretch === null)
    return sql`
      and id = any (array (
        ${changedSince(providerId, 'appointment', moment)}
        union
        select appointment_id from participation where id = any (array (
          ${changedSince(providerId, 'participation', moment)}
        ))
      ))
    `
  const isJoined = hasAny(sql`
    select from participation where appointment_id = appointment.id
      and ${isChangedSince(providerId, 'participation', sql`participation.id`, moment)}
  `)
  const isInStretch = stretch.end
    ? sql`and (start_at, id) <= (${stretch.end.start}::timestamptz, ${stretch.end.id}::bigint)`
    : empty
  return sql`
    ${isInStretch} and (${isChangedSince(providerId, 'appointment', sql`appointment.id`, moment)} or ${isJoined})
  `
}
