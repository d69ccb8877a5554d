import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { deliveryJobs } from '../../../rules/messages/messages.ts'
import { holdOffWriters, waitForWriters } from '../fence.ts'

// The seconds in which the CRM is closed in the source. The suspension is a lease: it ends by itself if this
// process dies, and the CRM leaves only while the lease is valid.

type Lease = { until: string; deadline: number }

/**
 * Also replaces the lease of an interrupted run. Returns null if an operator has suspended the CRM or it was
 * moved.
 */
export async function suspendFor(
  source: pg.ClientBase,
  crmId: number,
  seconds: number,
): Promise<Lease | null> {
  const deadline = performance.now() + seconds * 1000
  const { rows } = await source.query<{ until: string }>(
    `update crm set suspended_until = clock_timestamp() + make_interval(secs => $2)
     where id = $1 and moved_to is null and (suspended_until is null or suspended_until < 'infinity')
     returning suspended_until::text as until`,
    [crmId, seconds],
  )
  return rows[0] ? { until: rows[0].until, deadline } : null
}

/** Waits for writes, webhook deliveries and emails in progress. Returns false on timeout. */
export async function drain(
  source: pg.ClientBase,
  crmId: number,
  { until, deadline }: Lease,
): Promise<boolean> {
  // The other half of the time is for copying.
  const latest = performance.now() + (deadline - performance.now()) / 2
  if (!(await waitForWriters(source, crmId, latest))) return false
  for (;;) {
    if (!(await takeWebhooks(source, crmId, until)) && !(await isSendingMails(source, crmId))) return true
    if (performance.now() > latest) return false
    await pause(20)
  }
}

/**
 * Takes the lease of each webhook, so that no delivery starts. Returns true while deliveries are still in
 * progress.
 */
async function takeWebhooks(source: pg.ClientBase, crmId: number, until: string): Promise<boolean> {
  await source.query(
    'update webhook set worked_until = $2 where crm_id = $1 and worked_until <= clock_timestamp()',
    [crmId, until],
  )
  const { rowCount } = await source.query(
    'select from webhook where crm_id = $1 and worked_until <> $2::timestamptz limit 1',
    [crmId, until],
  )
  return Boolean(rowCount)
}

/** A job is locked before it checks the suspension, so a job that is not locked now will see it. */
async function isSendingMails(source: pg.ClientBase, crmId: number): Promise<boolean> {
  const { rowCount } = await source.query(
    `select from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = task_id
     where task.identifier = any ($2) and locked_at is not null and exists (
       select from json_array_elements_text(payload -> 'mailIds') as mail_id
       join mail on mail.id = mail_id::bigint where mail.crm_id = $1
     ) limit 1`,
    [crmId, deliveryJobs],
  )
  return Boolean(rowCount)
}

/** The point of no return. Returns false if the lease has ended; the CRM then stays open in the source. */
export async function leave(
  source: pg.ClientBase,
  crmId: number,
  { until }: Lease,
  address: string,
): Promise<boolean> {
  await source.query('begin')
  try {
    await holdOffWriters(source, crmId)
    const { rowCount } = await source.query(
      `update crm set suspended_until = 'infinity', moved_to = $3
       where id = $1 and suspended_until = $2::timestamptz and suspended_until > clock_timestamp()`,
      [crmId, until, address],
    )
    if (rowCount) await source.query('update crm_departure set left_at = now() where crm_id = $1', [crmId])
    await source.query('commit')
    return rowCount === 1
  } catch (error) {
    await source.query('rollback').catch(() => {})
    throw error
  }
}

/** Ends the lease early. */
export async function resumeEarly(source: pg.ClientBase, crmId: number, { until }: Lease) {
  await source.query(
    `update webhook set worked_until = '-infinity' where crm_id = $1 and worked_until = $2`,
    [crmId, until],
  )
  await source.query('update crm set suspended_until = null where id = $1 and suspended_until = $2', [
    crmId,
    until,
  ])
}
