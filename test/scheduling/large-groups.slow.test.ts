import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { resume, suspend } from '../../src/actions/console/operator.ts'
import { finishCancellation } from '../../src/actions/scheduling/appointments/cancel-appointments.ts'
import { exportTenant } from '../../src/db/backup/export.ts'
import { importTenant } from '../../src/db/backup/import.ts'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { findCrm } from '../../src/db/setup/crms.ts'
import { backUp, openBackup, restore } from '../../src/start/backup.ts'
import { makeAppointment, makeParticipation, makePractice } from '../support/build.ts'
import { emptyDatabase } from '../support/databases.ts'
import { jobsQueued, startTestService, useService } from '../support/service.ts'

// Restores a backup and starts another service.
vi.setConfig({ testTimeout: 120_000 })

const holdfast = await useService()

/** A group with one booking through the API and 299 copies of it. */
async function makeGroup() {
  const practice = await makePractice(holdfast.crm)
  const group = await makeAppointment(holdfast.crm, practice, { capacity: 500 })
  const first = await makeParticipation(holdfast.crm, practice, group.reference, 'BOOKED')
  await holdfast.query(
    `insert into participation (provider_id, appointment_id, reference, name, email, state)
    select provider_id, appointment_id, reference || n, name, 'p' || n || '@example.org', state
    from participation, generate_series(1, 299) as n where reference = $1`,
    [first.reference],
  )
  return { practice, group }
}

it('events list at most 100 people of a group and say that there are more', async () => {
  const { practice, group } = await makeGroup()
  const start = (await holdfast.crm.get('/events?after=now')).body.next
  const last = await makeParticipation(holdfast.crm, practice, group.reference, 'BOOKED')
  const { events } = (await holdfast.crm.get(`/events?after=${start}&kinds=participation.booked`)).body
  const { data } = events[0]
  expect(data.participation.reference).toBe(last.reference)
  expect(data.appointment.participations).toHaveLength(100)
  expect(data.participationsTotal).toBe(301)
  const path = `${practice.path}/appointments/${encodeURIComponent(group.reference)}`
  expect((await holdfast.crm.get(path)).body.appointment.participations).toHaveLength(301)
})

describe('a cancelled group', () => {
  it('informs each person once', async () => {
    const { practice, group } = await makeGroup()
    const start = (await holdfast.crm.get('/events?after=now')).body.next
    const cancelled = await cancel(practice, group)
    expect(cancelled.body.appointment.participations).toHaveLength(300)
    const { events } = (
      await holdfast.crm.get(`/events?after=${start}&limit=500&kinds=participation.cancelled`)
    ).body
    expect(new Set(events.map((one: { data: { reference: string } }) => one.data.reference)).size).toBe(300)
    expect(await informedOf(practice)).toEqual({ count: 300, people: 300 })
  })

  it('lets others book between its batches, and a job informs the rest if the process ends', async () => {
    const { practice, group } = await makeGroup()
    const { db } = holdfast.service
    await cancelAndDie(practice, group)
    await jobsQueued(holdfast)
    const { rows } = await db.pool.query(
      `select payload from graphile_worker._private_jobs where key like 'cancel:%' order by id desc limit 1`,
    )
    const { appointmentId } = rows[0].payload
    await finishCancellation(holdfast.service, appointmentId)
    expect(await informedOf(practice)).toEqual({ count: 300, people: 300 })
    await finishCancellation(holdfast.service, appointmentId)
    await cancel(practice, group)
    expect(await informedOf(practice)).toEqual({ count: 300, people: 300 })
    expect(await brokenIn(holdfast.connection)).toEqual([])
  })

  it('goes on after a restored backup, an import, and a suspension that outlasts its job', async () => {
    const { practice, group } = await makeGroup()
    const { db } = holdfast.service
    await cancelAndDie(practice, group)
    await jobsQueued(holdfast)
    expect(await brokenIn(holdfast.connection)).toEqual([])

    const folder = mkdtempSync(join(tmpdir(), 'holdfast-groups-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await backUp(holdfast.connection, join(folder, 'all.backup'))
    const connection = await emptyDatabase()
    const copy = openDb(connection)
    onTestFinished(() => copy.close())
    await restore(connection, await openBackup(join(folder, 'all.backup')))
    expect([await cancellationJobs(copy), await brokenIn(connection)]).toEqual([1, []])

    const elsewhere = await startTestService()
    onTestFinished(() => elsewhere.close())
    const crm = (await findCrm(db, 'crm'))!
    const source = await db.pool.connect()
    onTestFinished(() => source.release())
    const exported = await Array.fromAsync(exportTenant(source, crm, 'test'))
    const target = await elsewhere.service.db.pool.connect()
    onTestFinished(() => target.release())
    await target.query(`update crm set name = 'another' where name = 'crm'`)
    await importTenant(target, Readable.from(exported.join('').trimEnd().split('\n')))
    expect(await cancellationJobs(elsewhere.service.db)).toBe(1)
    const { rows } = await elsewhere.service.db.pool.query(
      'select appointment_id::int as id from cancellation',
    )
    await finishCancellation(elsewhere.service, rows[0].id)
    expect(await informedOf(practice, elsewhere.service.db)).toEqual({ count: 300, people: 300 })

    await db.pool.query(`delete from graphile_worker._private_jobs where key like 'cancel:%'`)
    await suspend(holdfast.service, crm.id)
    await resume(holdfast.service, crm.id)
    expect(await cancellationJobs(db)).toBe(1)
  })
})

type Made = Awaited<ReturnType<typeof makeGroup>>

const cancel = (practice: Made['practice'], group: Made['group']) =>
  holdfast.crm.delete(`${practice.path}/appointments`, {
    appointmentReference: group.reference,
    message: 'The hall is closed.',
  })

/** The process ends after the first batch. */
async function cancelAndDie(practice: Made['practice'], group: Made['group']) {
  const transaction = vi.spyOn(holdfast.service.db, 'transaction')
  const inTransaction = transaction.getMockImplementation()!
  transaction.mockImplementationOnce(inTransaction).mockRejectedValueOnce(new Error('The process ends.'))
  const died = await cancel(practice, group)
  vi.restoreAllMocks()
  expect([died.status, await informedOf(practice)]).toEqual([500, { count: 250, people: 250 }])
}

/** Without the time limits of requests, as `backup verify` runs it. */
async function brokenIn(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  const findings = await checkInvariants(client)
  await client.end()
  return findings.filter(one => one.violations > 0)
}

const cancellationJobs = async ({ pool }: Db) =>
  (await pool.query(`select from graphile_worker.jobs where key like 'cancel:%'`)).rowCount

async function informedOf(practice: Made['practice'], db: Db = holdfast.service.db) {
  const { rows } = await db.pool.query(
    `select count(*)::int, count(distinct recipient)::int as people from mail
    where kind = 'cancelled' and provider_id = (select id from provider where reference = $1)`,
    [practice.reference],
  )
  return rows[0]
}
