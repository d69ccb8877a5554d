import type pg from 'pg'
import { jobsAndRequests } from '../base/job-requests.ts'
import { batchOf } from '../mails.ts'

/** Invariants of every Holdfast database. Each query counts violations. */
const invariants: { name: string; violations: string }[] = [
  {
    name: 'nothing is oversold',
    // A provider may overbook on purpose; consumers cannot.
    violations: `
      select from appointment where state = 'ACTIVE' and deleted_at is null and capacity < (
        select coalesce(sum(places), 0) from participation
        where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED') and channel_key is not null)`,
  },
  {
    name: 'every count of people is right',
    violations: `
      select from appointment cross join lateral (
        select count(*) as people, coalesce(sum(places) filter (where state in ('BOOKED', 'REQUESTED')), 0) as places,
          count(*) filter (where state = 'RESERVED') as holds
        from participation where appointment_id = appointment.id and id <= counted_to
      ) as counted
      where counted_to is not null and (counted_people, counted_places, 0) is distinct from (counted.people, counted.places, holds)`,
  },
  {
    name: 'no two Appointments of consumers are at one place at one time',
    // One pass over sorted spans, because a self-join of Appointments is quadratic.
    violations: `
      select from (
        select blocked_from, max(blocked_to) over (
          partition by resource_id order by blocked_from, blocked_to rows between unbounded preceding and 1 preceding
        ) as taken_until
        from (
          select resource_id, lower(span) as blocked_from, upper(span) as blocked_to
          from (
            select resource_id, range_agg(tstzrange(blocked_from, blocked_to)) as spans from appointment
            where origin = 'consumer' and state = 'ACTIVE' and deleted_at is null
            group by resource_id, coalesce(claim, id)
          ) as claimed cross join lateral unnest(spans) as span
        ) as taken
      ) as sorted where taken_until > blocked_from`,
  },
  {
    name: 'every Participation has its Appointment',
    violations: `
      select from participation left join appointment on appointment.id = appointment_id
      where appointment.id is null
        or (participation.state in ('BOOKED', 'REQUESTED') and participation.deleted_at is null
          and (appointment.deleted_at is not null or (appointment.state <> 'ACTIVE'
            and not exists (select from cancellation where cancellation.appointment_id = appointment.id))))`,
  },
  {
    name: 'everything is of the Provider that it stands with',
    // These columns have no foreign key to Provider and CRM, because checking it on each write would be too
    // slow.
    violations: `
      select from channel join resource on resource.id = resource_id where channel.provider_id <> resource.provider_id
      union all
      select from appointment join resource on resource.id = resource_id where appointment.provider_id <> resource.provider_id
      union all
      select from participation join appointment on appointment.id = appointment_id
      where participation.provider_id <> appointment.provider_id
      union all
      select from mail left join provider on provider.id = provider_id
      where provider_id is not null and provider.crm_id is distinct from mail.crm_id
      union all
      select from mail where crm_id is not null and not exists (select from crm where id = crm_id)`,
  },
  {
    name: 'every promised mail exists',
    violations: `
      select from event join participation on participation.id = subject
      where kind in ('participation.booked', 'participation.requested') and actor_kind = 'consumer'
        and email is not null and not exists (
          select from mail where participation_id = participation.id and mail.kind in ('booked', 'requested'))
        -- One email lists all dates of a series.
        and not exists (
          select from series_place as own join series_place as other using (provider_id, series_id)
          join mail on mail.participation_id = other.participation_id and mail.kind in ('booked', 'requested')
          where own.participation_id = participation.id)`,
  },
  {
    name: 'every mail that waits will be sent',
    violations: `
      select from mail where state = 'queued' and not exists (
        select from ${jobsAndRequests.text} where key = 'mail:' || (${batchOf.text})[1])`,
  },
  {
    name: 'every cancellation goes on',
    violations: `
      select from cancellation where not exists (
        select from ${jobsAndRequests.text} where key = 'cancel:' || appointment_id)`,
  },
  {
    name: 'all constraints hold',
    violations: `
      select from pg_constraint where connamespace = current_schema()::regnamespace and not convalidated`,
  },
  {
    name: 'all indexes are sound',
    violations: `
      select from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = current_schema()::regnamespace and not indisvalid`,
  },
]

export type Finding = { name: string; violations: number }

export async function checkInvariants(pool: Pick<pg.ClientBase, 'query'>): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, violations } of invariants) {
    const { rows } = await pool.query(`select count(*)::int as count from (${violations}) as found`)
    findings.push({ name, violations: rows[0].count })
  }
  return findings
}

/** Groups whose people are counted in advance. */
export async function countedGroups(pool: Pick<pg.ClientBase, 'query'>): Promise<number> {
  return (await pool.query('select from appointment where counted_to is not null')).rowCount ?? 0
}
