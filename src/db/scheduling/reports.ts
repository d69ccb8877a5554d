import sql, { type Sql } from 'sql-template-tag'
import type { ReportPeriod } from '../../rules/time/report-periods.ts'
import { hasAny } from '../base/conditions.ts'
import type { Db, Queryable } from '../base/pool.ts'

// Numbers for reports, each with one statement. docs/reports.md defines them. An Appointment counts in the
// period in which it starts. Sums are made from these parts, which can be counted beforehand, day by day.

export type ReportScope = {
  providerId: number
  periods: ReportPeriod[]
  resourceId: number | null
  productId: number | null
}

export type BookingCounts = {
  bookings: number
  places: number
  requests: number
  cancellations: number
  lateCancellations: number
  declined: number
  attended: number
  noShows: number
  /** Sum over the bookings whose time of booking is known, and their number. */
  leadMinutes: number
  leads: number
  leadsUnderDay: number
  leadsUnderWeek: number
  leadsUnderMonth: number
}

/** Counts of one Resource and Product in one period. */
export type CountRow = BookingCounts & { period: number; resourceId: number; productId: number }

const boundsOf = ({ periods }: ReportScope) => periods.map(one => new Date(one.start))
const endOf = ({ periods }: ReportScope) => new Date(periods.at(-1)!.end)
const startOf = ({ periods }: ReportScope) => new Date(periods[0]!.start)

/** The position of the period that contains an instant, from 0. */
const periodOf = (scope: ReportScope, at: Sql) =>
  sql`width_bucket(${at}, ${boundsOf(scope)}::timestamptz[]) - 1`

const isWanted = ({ resourceId, productId }: ReportScope) => sql`
  (${resourceId}::bigint is null or resource_id = ${resourceId})
    and (${productId}::bigint is null or product_id = ${productId})
`

/**
 * The Appointments of the report, and their Participations read in the order of the index, which takes a third
 * of the time of a lookup for each. Needs `readReport`, which allows the hash join between the two.
 */
const bookingsOf = (scope: ReportScope, columns: Sql, condition: Sql) => sql`
  listed as materialized (
    select id, resource_id, product_id, start_at, ${periodOf(scope, sql`start_at`)} as period from appointment
    where provider_id = ${scope.providerId} and start_at >= ${startOf(scope)} and start_at < ${endOf(scope)}
      and deleted_at is null and ${isWanted(scope)}
  ), booking as (
    select appointment_id, ${columns} from participation
    where appointment_id = any (array (select id from listed)) and deleted_at is null and ${condition}
  )
`

/**
 * Reads for a report: other statements look up few rows and may only use nested loops, whose time would grow
 * with the square of a year's bookings.
 */
const readReport = <T extends object>(db: Db, statement: Sql): Promise<T[]> =>
  db.transaction(async tx => {
    const planning = tx.query(sql`set local enable_hashjoin = on`)
    const joining = tx.query(sql`set local enable_nestloop = off`)
    const rows = tx.query<T>(statement)
    await Promise.all([planning, joining])
    return rows
  })

/** Planned for these values: one plan for all of them would read a year at each Resource, whatever is asked for. */
const readWithValues = <T extends object>(db: Db, statement: Sql): Promise<T[]> =>
  db.transaction(async tx => {
    const planning = tx.query(sql`set local plan_cache_mode = force_custom_plan`)
    const rows = tx.query<T>(statement)
    await planning
    return rows
  })

const bookingColumns = sql`state, places, attendance, booked_at, cancelled_at`

/** Archived Appointments count too: they were archived with their Resource. */
export const countBookings = (db: Db, scope: ReportScope): Promise<CountRow[]> =>
  readReport<CountRow>(
    db,
    sql`
    with ${bookingsOf(scope, bookingColumns, sql`state in ('BOOKED', 'REQUESTED', 'CANCELED')`)}
    select period, resource_id, product_id,
      (count(*) filter (where state = 'BOOKED'))::int as bookings,
      coalesce(sum(places) filter (where state = 'BOOKED'), 0)::int as places,
      (count(*) filter (where state = 'REQUESTED'))::int as requests,
      (count(*) filter (where state = 'CANCELED' and booked_at is not null))::int as cancellations,
      (count(*) filter (where state = 'CANCELED' and booked_at is not null
        and cancelled_at > start_at - interval '24 hours'))::int as late_cancellations,
      (count(*) filter (where state = 'CANCELED' and booked_at is null))::int as declined,
      (count(*) filter (where attendance = 'ATTENDED' and state = 'BOOKED'))::int as attended,
      (count(*) filter (where attendance = 'MISSED' and state = 'BOOKED'))::int as no_shows,
      coalesce(sum(lead), 0) as lead_minutes, count(lead)::int as leads,
      (count(*) filter (where lead < 1440))::int as leads_under_day,
      (count(*) filter (where lead < 10080))::int as leads_under_week,
      (count(*) filter (where lead < 43200))::int as leads_under_month
    from (
      select booking.*, period, resource_id, product_id, start_at,
        case when state = 'BOOKED'
          then greatest(0, date_part('epoch', start_at - booked_at) / 60) end as lead
      from booking join listed on listed.id = appointment_id
    ) as booking
    group by period, resource_id, product_id
  `,
  )

/** Ids: who was where for what in a period, and whose first booking with the business starts in it. */
type VisitorRow = {
  period: number
  customers: number[]
  resources: number[]
  products: number[]
  newcomers: number[]
}

/**
 * New: the first booking with the business, at any Resource, starts in the period. Most customers have no
 * bookings outside of the report, which their number shows; only for others Appointments are looked up.
 */
export const listVisitors = (db: Db, scope: ReportScope): Promise<VisitorRow[]> =>
  readReport<VisitorRow>(
    db,
    sql`
    with ${bookingsOf(scope, sql`customer_id`, sql`state = 'BOOKED' and coalesce(customer_id, 0) <> 0`)}, visit as materialized (
      select customer_id, period, resource_id, product_id, count(*) as times
      from booking join listed on listed.id = appointment_id group by customer_id, period, resource_id, product_id
    ), visitor as materialized (
      select customer_id, min(period) as first_period, sum(times) as times from visit group by customer_id
    ), known as materialized (
      select customer_id, case when times = (
        select count(*) from participation
        where customer_id = visitor.customer_id and state = 'BOOKED' and deleted_at is null
      ) then first_period else (
        select ${periodOf(scope, sql`min(earlier.start_at)`)} from (
          select appointment_id from participation
          where customer_id = visitor.customer_id and state = 'BOOKED' and deleted_at is null offset 0
        ) as booking
        cross join lateral (
          select start_at from appointment where id = booking.appointment_id and deleted_at is null offset 0
        ) as earlier
      ) end as first_period
      from visitor
    )
    select period, coalesce(customers, '[]') as customers, coalesce(resources, '[]') as resources,
      coalesce(products, '[]') as products, coalesce(newcomers, '[]') as newcomers
    from (
      select period, json_agg(customer_id) as customers, json_agg(resource_id) as resources, json_agg(product_id) as products
      from visit group by period
    ) as visited
    full join (
      select first_period as period, json_agg(customer_id) as newcomers from known where first_period >= 0 group by first_period
    ) as newcomer using (period)
  `,
  )

/** Starts and ends as arrays of seconds, unparsed: a year can have 100,000. */
export type SpanRow = { resourceId: number | null; starts: string; ends: string }

const seconds = (at: Sql) => sql`array_agg(date_part('epoch', ${at})::bigint)::text`
const spans = (start: Sql, end: Sql) => sql`${seconds(start)} as starts, ${seconds(end)} as ends`

/** Bookable Timeslots of each Resource, found by their start like those of the calendar. */
export const openSpans = (db: Queryable, scope: ReportScope): Promise<SpanRow[]> => {
  const [from, to] = [startOf(scope), endOf(scope)]
  return db.query<SpanRow>(sql`
    select resource.id as resource_id, ${spans(sql`slot.start_at`, sql`slot.end_at`)} from resource
    cross join lateral (
      select start_at, end_at from timeslot
      where resource_id = resource.id and start_at > ${from}::timestamptz - interval '24 hours' and start_at < ${to}
        and end_at > ${from} and state = 'BOOKABLE' and end_at - start_at <= interval '24 hours'
      union all
      select start_at, end_at from timeslot
      where resource_id = resource.id and end_at > ${from} and start_at < ${to}
        and state = 'BOOKABLE' and end_at - start_at > interval '24 hours'
      offset 0
    ) as slot
    where resource.provider_id = ${scope.providerId} and resource.deleted_at is null
      and (${scope.resourceId}::bigint is null or resource.id = ${scope.resourceId})
    group by resource.id
  `)
}

/** Closures and blocks; null for those of the whole business. */
export const closedSpans = (db: Queryable, scope: ReportScope): Promise<SpanRow[]> =>
  db.query<SpanRow>(sql`
    select resource_id, ${spans(sql`from_at`, sql`to_at`)} from closed_time
    where provider_id = ${scope.providerId} and to_at > ${startOf(scope)} and from_at < ${endOf(scope)}
    group by resource_id
  `)

/**
 * Active Appointments with bookings or requests. Single ones of staff count even without a customer. A
 * consumer's Appointment of an earlier day is no longer a mere hold, so its people are not looked up.
 */
export const takenSpans = (db: Db, scope: ReportScope): Promise<SpanRow[]> =>
  readWithValues<SpanRow>(
    db,
    sql`
    select resource.id as resource_id, ${spans(sql`appointment.start_at`, sql`appointment.end_at`)} from resource
    cross join lateral (
      select id, start_at, end_at, origin, capacity, created_at from appointment
      where resource_id = resource.id and start_at >= ${startOf(scope)} and start_at < ${endOf(scope)}
        and state = 'ACTIVE' and deleted_at is null and ${isWanted(scope)}
      offset 0
    ) as appointment
    where resource.provider_id = ${scope.providerId} and resource.deleted_at is null
      and (${scope.resourceId}::bigint is null or resource.id = ${scope.resourceId})
      and (case when origin = 'provider' then capacity <= 1 else appointment.created_at < (select app_now() - interval '1 day') end
        or ${hasAny(sql`
          select from participation where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED')
        `)})
    group by resource.id
  `,
  )

type AnswerRow = { key: string; choice: string; count: number }

/** Conditions are written so that no partial index matches, which would lead through all answers ever given. */
const isAnswered = sql`coalesce(answers, '{}') <> '{}'`

/** How often each option was chosen in bookings, and ticks as true or false. */
export const countAnswers = (db: Db, scope: ReportScope, keys: string[]): Promise<AnswerRow[]> =>
  readReport<AnswerRow>(
    db,
    sql`
    with ${bookingsOf(scope, sql`answers`, sql`state = 'BOOKED' and ${isAnswered}`)}
    select given.key, choice, count(*)::int as count from booking
    cross join lateral jsonb_each(answers) as given
    cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(given.value) when 'array' then given.value else jsonb_build_array(given.value) end
    ) as choice
    where given.key = any (${keys}::text[])
    group by given.key, choice
  `,
  )

type Named = { id: number; uuid: string; reference: string; name: string }

/** Deleted ones keep their names. */
export const resourceNames = (db: Queryable, ids: number[]): Promise<Named[]> =>
  db.query<Named>(sql`
    select id, uuid, reference, internal_name as name from resource
    where id = any (${ids}::bigint[]) order by internal_name, id
  `)

export const productNames = (db: Queryable, ids: number[]): Promise<Named[]> =>
  db.query<Named>(sql`
    select id, uuid, reference, name from product where id = any (${ids}::bigint[]) order by name, id
  `)
