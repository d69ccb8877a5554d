import type pg from 'pg'
import { batchOf } from '../mails.ts'

/** What must be true of every database of ours. Each query counts what is against it. */
const invariants: { name: string; violations: string }[] = [
  {
    name: 'nothing is oversold',
    // A provider may put in more people than there are places, on purpose; consumers may not get in.
    violations: `
      select from appointment where state = 'ACTIVE' and deleted_at is null and capacity < (
        select count(*) from participation
        where appointment_id = appointment.id and state in ('BOOKED', 'REQUESTED') and channel_key is not null)`,
  },
  {
    name: 'no two Appointments of consumers are at one place at one time',
    violations: `
      select from appointment one join appointment other on other.resource_id = one.resource_id and other.id > one.id
        and other.blocked_from < one.blocked_to and one.blocked_from < other.blocked_to
        and coalesce(other.claim, other.id) <> coalesce(one.claim, one.id)
      where one.origin = 'consumer' and other.origin = 'consumer' and one.state = 'ACTIVE' and other.state = 'ACTIVE'
        and one.deleted_at is null and other.deleted_at is null`,
  },
  {
    name: 'every Participation has its Appointment',
    violations: `
      select from participation left join appointment on appointment.id = appointment_id
      where appointment.id is null
        or (participation.state in ('BOOKED', 'REQUESTED') and participation.deleted_at is null
          and (appointment.state <> 'ACTIVE' or appointment.deleted_at is not null))`,
  },
  {
    name: 'everything is of the Provider that it stands with',
    // What is written with each booking, or with each Resource, is not checked against Provider and CRM one by one.
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
          select from mail where participation_id = participation.id and mail.kind in ('booked', 'requested'))`,
  },
  {
    name: 'every mail that waits will be sent',
    violations: `
      select from mail where state = 'queued' and not exists (
        select from graphile_worker.jobs where key = 'mail:' || (${batchOf.text})[1])`,
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

export async function checkInvariants(pool: pg.Pool): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, violations } of invariants) {
    const { rows } = await pool.query(`select count(*)::int as count from (${violations}) as found`)
    findings.push({ name, violations: rows[0].count })
  }
  return findings
}
