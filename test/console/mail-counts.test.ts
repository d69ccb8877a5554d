// How many mails the operator's page speaks of: days that are over are counted once, and nothing is wrong for it.

import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { countMails } from '../../src/db/mail-counts.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()
const { db } = holdfast.service

const write = (count: number, state: string, daysAgo: number) =>
  db.query(sql`
    insert into mail (crm_id, kind, recipient, language, data, state, created_at)
    select (select min(id) from crm), 'booked', 'ann@example.org', 'en', '{}', ${state}, app_now() - make_interval(days => ${daysAgo})
    from generate_series(1, ${count}::int)
  `)

it('is zero if all emails are older than 30 days', async () => {
  expect(await countMails(db)).toEqual({ queued: 0, sent: 0, failed: 0, kept: 0 })
  await write(7, 'kept', 40)
  await write(3, 'failed', 40)
  await write(5, 'sent', 40)
  expect(await countMails(db)).toEqual({ queued: 0, sent: 0, failed: 0, kept: 0 })
})

it('is correct with some of each state, on days counted earlier', async () => {
  holdfast.clock.shiftMs += 86_400_000
  for (const daysAgo of [29, 12, 3, 0]) {
    await write(4, 'sent', daysAgo)
    await write(2, 'failed', daysAgo)
    await write(1, 'kept', daysAgo)
  }
  // Another process of the same installation has counted nothing yet.
  const other = { ...db }
  expect(await countMails(other)).toEqual({ queued: 0, sent: 16, failed: 8, kept: 4 })
  await write(2, 'sent', 0)
  // One that was given up is sent after all.
  await db.query(sql`update mail set state = 'sent'
    where id = (select min(id) from mail where state = 'failed' and created_at > app_now() - interval '30 days')`)
  expect(await countMails(other)).toEqual({ queued: 0, sent: 19, failed: 7, kept: 4 })
})

it('counts waiting emails by their jobs', async () => {
  const { sent } = await countMails(db)
  await holdfast.service.db.query(sql`
    with waiting as (
      insert into mail (crm_id, kind, recipient, language, data, state)
      select (select min(id) from crm), 'booked', 'ann@example.org', 'en', '{}', 'queued' from generate_series(1, 3) returning id
    )
    select graphile_worker.add_job('deliver-mail', '{}', run_at => now() + interval '1 hour', job_key => 'mail:' || id) from waiting
  `)
  expect(await countMails(db)).toMatchObject({ queued: 3, sent })
})

it('drops days as they pass', async () => {
  holdfast.clock.shiftMs += 40 * 86_400_000
  expect(await countMails(db)).toEqual({ queued: 0, sent: 0, failed: 0, kept: 0 })
})
