import sql from 'sql-template-tag'
import type { ExistingOpening, Opening, OpeningRule, Plan } from '../../rules/offers/hours.ts'
import { suspendedProviders } from '../base/conditions.ts'
import { jsonRows } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'

export type Hours = { weeks: number; madeUntil: string; rules: OpeningRule[] }

const ruleColumns = sql`
  uuid, coalesce(cycle_weekdays, weekdays) as weekdays, from_minute as "from", to_minute as "to", raster, capacity,
  accept_bookings, valid_from::text as valid_from, valid_until::text as valid_until, week_of::text as week_of,
  only_on::text as only_on, coalesce(is_closed, false) as is_closed
`

const ruleInJson = sql`
  json_build_object('uuid', uuid, 'weekdays', coalesce(cycle_weekdays, weekdays), 'from', from_minute, 'to', to_minute,
    'raster', raster, 'capacity', capacity, 'acceptBookings', accept_bookings, 'validFrom', valid_from,
    'validUntil', valid_until, 'weekOf', week_of, 'onlyOn', only_on, 'isClosed', coalesce(is_closed, false))
`

export async function findHours(db: Queryable, resourceId: number): Promise<Hours | null> {
  return (await findHoursOf(db, [resourceId])).get(resourceId) ?? null
}

export async function findHoursOf(db: Queryable, resourceIds: number[]): Promise<Map<number, Hours>> {
  const [found, rules] = await Promise.all([
    db.query<Omit<Hours, 'rules'> & { resourceId: number }>(sql`
      select resource_id, weeks, made_until::text as made_until from opening_hours
      where resource_id = any (${resourceIds}::bigint[])
    `),
    db.query<OpeningRule & { resourceId: number }>(sql`
      select resource_id, ${ruleColumns} from opening_rule
      where resource_id = any (${resourceIds}::bigint[]) order by position
    `),
  ])
  const byResource = Map.groupBy(rules, rule => rule.resourceId)
  const rulesOf = (id: number) => (byResource.get(id) ?? []).map(({ resourceId: _, ...rule }) => rule)
  return new Map(
    found.map(({ resourceId, ...hours }) => [resourceId, { ...hours, rules: rulesOf(resourceId) }]),
  )
}

/** Timeslots of removed rules are removed first; see writePlan. */
export async function saveRules(
  tx: Queryable,
  { id: resourceId, providerId }: { id: number; providerId: number },
  { weeks, madeUntil, rules }: Hours,
) {
  await tx.query(sql`
    insert into opening_hours (resource_id, provider_id, weeks, made_until)
    values (${resourceId}, ${providerId}, ${weeks}, ${madeUntil}::date)
    on conflict (resource_id) do update set weeks = excluded.weeks, made_until = excluded.made_until
  `)
  await tx.query(sql`
    insert into opening_rule (resource_id, provider_id, uuid, position, weekdays, from_minute, to_minute, raster,
      capacity, accept_bookings, valid_from, valid_until, week_of, cycle_weekdays, only_on, is_closed)
    select ${resourceId}, ${providerId}, uuid, ordinality, case when week_of is null then weekdays else '{}' end, "from",
      "to", raster, capacity, accept_bookings, valid_from, valid_until, week_of,
      case when week_of is not null then weekdays end, only_on, nullif(is_closed, false)
    from rows from (jsonb_to_recordset(${jsonRows(rules)}::jsonb) as (uuid uuid, weekdays integer[], "from" integer,
      "to" integer, raster integer, capacity integer, accept_bookings boolean, valid_from date, valid_until date,
      week_of date, only_on date, is_closed boolean))
      with ordinality
    on conflict (uuid) do update set position = excluded.position, weekdays = excluded.weekdays,
      from_minute = excluded.from_minute, to_minute = excluded.to_minute, raster = excluded.raster,
      capacity = excluded.capacity, accept_bookings = excluded.accept_bookings, valid_from = excluded.valid_from,
      valid_until = excluded.valid_until, week_of = excluded.week_of, cycle_weekdays = excluded.cycle_weekdays,
      only_on = excluded.only_on, is_closed = excluded.is_closed
  `)
}

export async function removeRulesBut(tx: Queryable, resourceId: number, kept: string[]) {
  await tx.query(
    sql`delete from opening_rule where resource_id = ${resourceId} and uuid <> all (${kept}::uuid[])`,
  )
}

/**
 * Timeslots created by opening hours that are not over, with their booked times, and past ones from `first`
 * on, which may have to be extended.
 */
export const findOpenings = (tx: Queryable, resourceId: number, first: string) =>
  tx.query<ExistingOpening>(sql`
    select timeslot.id, opening_rule.uuid as rule, opening_day::text as day, start_at as start, end_at as end,
      timeslot.raster, default_capacity as capacity, default_accept_bookings as accept_bookings, end_at <= app_clock() as is_over,
      (
        select coalesce(json_agg(json_build_object(
          'start', (extract(epoch from appointment.start_at) * 1000)::bigint,
          'end', (extract(epoch from appointment.end_at) * 1000)::bigint)), '[]')
        from (select * from appointment where timeslot_id = timeslot.id offset 0) as appointment
        where state = 'ACTIVE' and deleted_at is null and end_at > app_clock()
          and exists (
            select from participation
            where appointment_id = appointment.id and takes_place(state, expires_at, app_clock()) offset 0
          )
      ) as booked
    from timeslot left join opening_rule on opening_rule.id = opening_rule_id
    where timeslot.resource_id = ${resourceId} and opening_day is not null and end_at > app_clock() - interval '4 days'
      and (end_at > app_clock() or (opening_day >= ${first}::date and opening_rule_id is not null))
    order by start_at
  `)

type Place = { providerId: number; resourceId: number }

/** Requires the Resource's lock. */
export async function writePlan(tx: Queryable, { providerId, resourceId }: Place, plan: Plan) {
  if (plan.remove.length > 0)
    await tx.query(sql`delete from timeslot where id = any (${plan.remove}::bigint[])`)
  if (plan.rest.length > 0)
    await tx.query(sql`
      update timeslot set start_at = to_timestamp(rest.start / 1000.0), end_at = to_timestamp(rest."end" / 1000.0),
        raster = least(raster, greatest(1, ((rest."end" - rest.start) / 60000)::integer)),
        default_accept_bookings = false, opening_rule_id = null, reference = reference || ':' || timeslot.id
      from jsonb_to_recordset(${jsonRows(plan.rest)}::jsonb) as rest (id bigint, start bigint, "end" bigint)
      where timeslot.id = rest.id
    `)
  if (plan.update.length > 0)
    await tx.query(sql`
      update timeslot set start_at = to_timestamp(new.start / 1000.0), end_at = to_timestamp(new."end" / 1000.0),
        raster = new.raster, default_capacity = new.capacity, default_accept_bookings = new.accept_bookings,
        opening_rule_id = opening_rule.id, reference = 'hours:' || rule || ':' || day
      from jsonb_to_recordset(${jsonRows(plan.update)}::jsonb) as new (id bigint, rule uuid, day date, start bigint,
        "end" bigint, raster integer, capacity integer, accept_bookings boolean)
      join opening_rule on opening_rule.uuid = rule
      where timeslot.id = new.id
    `)
  await insertOpenings(
    tx,
    plan.insert.map(opening => ({ ...opening, providerId, resourceId })),
  )
}

/** Inserts for many Resources at once and skips existing Timeslots. */
export async function insertOpenings(tx: Queryable, openings: (Opening & Place)[]) {
  if (openings.length === 0) return
  await tx.query(sql`
    insert into timeslot (provider_id, resource_id, reference, start_at, end_at, raster, default_capacity,
      default_accept_bookings, state, opening_rule_id, opening_day)
    select new.provider_id, new.resource_id, 'hours:' || rule || ':' || day, to_timestamp(start / 1000.0),
      to_timestamp("end" / 1000.0), new.raster, new.capacity, new.accept_bookings, 'BOOKABLE', opening_rule.id, day
    from jsonb_to_recordset(${jsonRows(openings)}::jsonb) as new (provider_id bigint, resource_id bigint, rule uuid,
      day date, start bigint, "end" bigint, raster integer, capacity integer, accept_bookings boolean)
    join opening_rule on opening_rule.uuid = rule
    on conflict do nothing
  `)
}

export type DueHours = {
  resourceId: number
  providerId: number
  timeZone: string
  weeks: number
  madeUntil: string
  now: number
  rules: OpeningRule[]
}

/** Timeslots do not reach far enough ahead. */
const areDue = sql`
  made_until < (app_now() at time zone 'UTC')::date + weeks * 7 and resource.deleted_at is null and not resource.archived
  and opening_hours.provider_id <> all (${suspendedProviders})
`

/**
 * Locks Resources whose Timeslots do not reach far enough, a few at a time in the order of their ids, and
 * raises their revision. Skips locked Resources until the next day. `last`: the last id checked.
 */
export async function lockDueHours(
  tx: Queryable,
  after: number,
  limit: number,
): Promise<{ due: DueHours[]; last: number | null }> {
  const rows = await tx.query<{ resourceId: number; isLocked: boolean }>(sql`
    with due as (
      select resource_id from opening_hours
      cross join lateral (
        select archived, deleted_at from resource where id = opening_hours.resource_id offset 0
      ) as resource
      where resource_id > ${after} and ${areDue}
      order by resource_id limit ${limit}
    ), locked as (
      update resource set revision = revision + 1
      where id = any (array (
        select id from resource where id = any (array (select resource_id from due)) order by id for update skip locked
      ))
      returning id
    )
    select due.resource_id, locked.id is not null as is_locked
    from due left join locked on locked.id = due.resource_id
    order by due.resource_id
  `)
  const locked = rows.filter(row => row.isLocked).map(row => row.resourceId)
  return {
    due: locked.length > 0 ? await findDueHours(tx, locked) : [],
    last: rows.at(-1)?.resourceId ?? null,
  }
}

/** Read again under the lock, because the rules or the zone may have changed meanwhile. */
const findDueHours = (tx: Queryable, resourceIds: number[]) =>
  tx.query<DueHours>(sql`
    select resource_id, opening_hours.provider_id, time_zone, weeks, made_until::text as made_until, app_clock() as now,
      (
        select coalesce(json_agg(${ruleInJson} order by position), '[]')
        from opening_rule where resource_id = opening_hours.resource_id
      ) as rules
    from opening_hours
    cross join lateral (
      select archived, deleted_at from resource where id = opening_hours.resource_id offset 0
    ) as resource
    cross join lateral (select time_zone from provider where id = opening_hours.provider_id offset 0) as provider
    where resource_id = any (${resourceIds}::bigint[]) and ${areDue}
    order by resource_id
  `)

export async function saveMadeUntil(tx: Queryable, made: { resourceId: number; until: string }[]) {
  await tx.query(sql`
    update opening_hours set made_until = until
    from jsonb_to_recordset(${jsonRows(made)}::jsonb) as made (resource_id bigint, until date)
    where opening_hours.resource_id = made.resource_id
  `)
}

/** Remnants kept for bookings that no longer exist. They offer nothing, so no lock is needed. */
export const deleteEmptyRemnants = (tx: Queryable) =>
  tx.query<DeletedRemnant>(sql`
    delete from timeslot where id = any (array (
      select id from timeslot as rest
      where opening_rule_id is null and opening_day is not null and end_at > app_now()
        and not exists (
          select from (select * from appointment where timeslot_id = rest.id offset 0) as appointment
          where state = 'ACTIVE' and deleted_at is null offset 0
        )
      limit 1000
    ))
    returning id, provider_id, reference, uuid
  `)

type DeletedRemnant = { id: number; providerId: number; reference: string; uuid: string }

/** After a change of time zone: the Timeslots are rebuilt later, in batches. */
export async function markZoneChanged(tx: Queryable, providerId: number) {
  await tx.query(sql`update opening_hours set zone_changed = true where provider_id = ${providerId}`)
}

/** Resources whose Timeslots follow a former zone, of this Provider or of all. */
export async function hoursOfFormerZone(
  db: Queryable,
  providerId: number | null,
  limit: number,
): Promise<number[]> {
  const isWanted = providerId === null ? sql`true` : sql`provider_id = ${providerId}`
  return db.column<number>(sql`
    select resource_id as id from opening_hours
    where zone_changed and ${isWanted} and provider_id <> all (${suspendedProviders})
    order by provider_id, resource_id limit ${limit}
  `)
}

/**
 * Requires the lock of the Resource. Returns the Provider with its current zone; another change of it marks
 * the hours again.
 */
export async function takeZoneChange(
  tx: Queryable,
  resourceId: number,
): Promise<{ id: number; timeZone: string } | null> {
  // By the Resource: the index of marked hours may have thousands.
  const taken = await tx.query(sql`
    update opening_hours set zone_changed = false where resource_id = ${resourceId} and coalesce(zone_changed, false)
    returning 1 as taken
  `)
  if (taken.length === 0) return null
  return tx.one<{ id: number; timeZone: string }>(sql`
    select id, time_zone from provider where id = (select provider_id from resource where id = ${resourceId})
  `)
}
