import { afterEach, beforeEach, expect, it } from 'vitest'
import { tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { purge } from '../../src/actions/scheduling/retention.ts'
import { passFence, raiseFence } from '../../src/db/backup/fence.ts'
import { makeCustomer, makePractice, makeTimeslot } from '../support/build.ts'
import { useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

// A CRM that has moved away stays suspended until it is deleted, and a fence refuses every write to its rows. The jobs of all
// others go on.

const holdfast = await useService()
const { service } = holdfast
const practice = await makePractice(holdfast.crm, { language: 'en' })
const { room, wait, bookAll, job, entry, offers } = waitingAt(holdfast, practice)
const away = await makePractice(holdfast.otherCrm, { language: 'en' })

beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

/** What the fence would refuse. */
async function unfenced(text: string, values: unknown[] = []) {
  const client = await service.db.pool.connect()
  try {
    await passFence(client)
    return (await client.query(text, values)).rows
  } finally {
    client.release(true)
  }
}

const suspend = async (until: string | null) => {
  await unfenced(`update crm set suspended_until = $1 where name = 'other'`, [until])
  await service.suspensions.refresh()
}
afterEach(() => suspend(null))

async function waitAway() {
  const { customerReference } = await makeCustomer(holdfast.otherCrm, away, { email: 'otto@example.org' })
  const wish = { customerReference, productReference: away.product, from: '2029-12-07', to: '2030-01-11' }
  const { status, body } = await holdfast.otherCrm.post(`${away.path}/waiting_list`, wish)
  expect(status).toBe(201)
  return body.entry.uuid as string
}

const stateAway = async (uuid: string) =>
  (await unfenced('select state from waiting_entry where uuid = $1', [uuid]))[0].state

/** Everything that a job would end or delete. */
async function leaveOldRows(uuid: string) {
  await unfenced(
    `update waiting_entry set from_date = '2020-01-01', to_date = '2020-01-02' where uuid = $1`,
    [uuid],
  )
  const [one] = await unfenced('select * from waiting_entry where uuid = $1', [uuid])
  const ids = [one.provider_id, one.customer_id]
  for (const [state, column] of [
    ['ENDED', 'ended_at'],
    ['UNCONFIRMED', 'created_at'],
  ])
    await unfenced(
      `insert into waiting_entry (provider_id, customer_id, product_id, channel_key, from_date, to_date, wish, state, ${column})
       values ($1, $2, $3, 'RESOURCE_PUBLIC', '2030-01-01', '2030-01-02', 'old', '${state}', now() - interval '91 days')`,
      [...ids, one.product_id],
    )
  await unfenced(
    `insert into customer_merge (provider_id, customer_id, kept_id, into_id, reference, record, merged_at)
     values ($1, $2, $2, $2, 'old', '{}', now() - interval '31 days')`,
    ids,
  )
  for (const state of ['UPLOADED', 'DONE'])
    await unfenced(
      `insert into data_import (provider_id, kind, state, file_name, digest, headers, options, actor, line_count, changed_at)
       values ($1, 'customers', '${state}', 'old.csv', '', '[]', '{}', '{}', 1, now() - interval '31 days')`,
      [one.provider_id],
    )
  await unfenced(
    `with gone as (
       insert into resource (provider_id, reference, internal_name, public_name, deleted_at)
       values ($1, 'gone', 'Gone', 'Gone', now() - interval '2 days') returning id
     )
     insert into calendar_source (provider_id, resource_id, kind, name, host, sealed)
     select $1, id, 'ics', 'Old', 'example.org', '' from gone`,
    [one.provider_id],
  )
}

it('the jobs of others go on beside a CRM that has moved away, whose rows stay as they are', async () => {
  const waiting = await waitAway()
  const full = await room()
  await bookAll(full)
  const ann = await wait(full)
  const old = await wait(full, { from: '2020-01-01', to: '2020-01-02' })
  const client = await service.db.pool.connect()
  await raiseFence(client)
  client.release(true)
  await leaveOldRows(waiting)
  await suspend('infinity')
  await makeTimeslot(holdfast.crm, full, { start: '2030-01-08T08:00', end: '2030-01-08T09:00' })
  await job()
  expect(await offers(ann.uuid)).toEqual([['2030-01-08T07:00:00Z', 'OPEN']])
  expect((await entry(old.uuid)).state).toBe('ENDED')
  expect(await stateAway(waiting)).toBe('WAITING')
  await tidy(service)
  const count = async (text: string) => (await unfenced(`select from ${text}`)).length
  const kept = async () => [
    await count('customer_merge where record is not null'),
    await count('data_import where file_name is not null'),
    await count('calendar_source'),
    await count(`waiting_entry where wish = 'old'`),
  ]
  expect(await purge(service, { dryRun: true })).toMatchObject({ waitingEntries: 0 })
  await purge(service, { dryRun: false })
  expect(await kept()).toEqual([1, 2, 1, 2])

  await suspend(null)
  await job()
  await tidy(service)
  await purge(service, { dryRun: false })
  expect(await stateAway(waiting)).toBe('ENDED')
  expect(await kept()).toEqual([0, 0, 0, 0])
})

it('a step that fails does not keep the others from running', async () => {
  const full = await room()
  await bookAll(full)
  const ann = await wait(full)
  const over = await wait(full, { from: '2020-01-01', to: '2020-01-02' })
  await unfenced(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on waiting_entry for each row when (old.uuid = '${over.uuid}') execute function refuse()
  `)
  await makeTimeslot(holdfast.crm, full, { start: '2030-01-08T08:00', end: '2030-01-08T09:00' })
  await expect(job()).rejects.toThrow('refused')
  expect(await offers(ann.uuid)).toEqual([['2030-01-08T07:00:00Z', 'OPEN']])
  await unfenced('drop function refuse cascade')
  await job()
  expect((await entry(over.uuid)).state).toBe('ENDED')
})
