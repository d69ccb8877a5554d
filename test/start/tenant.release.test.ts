import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { makePractice, makeProvider, makeResource, type Practice } from '../support/build.ts'
import { asConsumer, type Consumer, holdOf, overApp } from '../support/consumer.ts'
import { addressOf } from '../support/databases.ts'
import { run } from '../support/process.ts'
import { roomsOf } from '../support/rooms.ts'
import { call, jobsQueued, startTestService, type TestService } from '../support/service.ts'

// Many processes in sequence on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'holdfast-tenant-'))
const file = join(folder, 'crm.ndjson')

let holdfast: TestService
/** Another installation with a CRM of the same name, which is removed first. */
let elsewhere: TestService
let practice: Practice
let consumer: Consumer
const { roomWith, slots, book } = roomsOf(() => ({ holdfast, practice, consumer }))
beforeAll(async () => {
  holdfast = await startTestService()
  elsewhere = await startTestService()
  practice = await makePractice(holdfast.crm)
  consumer = asConsumer(overApp(holdfast.app))
  await query(
    holdfast,
    `insert into email_text (provider_id, kind, language, text) select id, 'booked', 'en', 'See you' from provider`,
  )
  const room = await roomWith()
  for (const slot of (await slots(room)).slice(0, 2)) await book(room, slot)
  await query(
    holdfast,
    `update channel set product_ids = (select array_agg(id) from product) where key = 'CALENDAR_PUBLIC'`,
  )
  // Characters that some programs treat as line separators.
  await query(holdfast, `update resource set description = E'one\\u2028two\\u2029three\\n\\u0085four'`)
  await query(holdfast, `update provider set slug = 'harbour'`)
  await makeProvider(holdfast.crm, { slug: 'harbour-2' })
  // Ids and a slug that are already in use there.
  await makePractice(elsewhere.otherCrm)
  await query(elsewhere, `update provider set slug = 'harbour'`)
})
afterAll(async () => {
  await holdfast.close()
  await elsewhere.close()
  rmSync(folder, { recursive: true, force: true })
})

const query = async ({ service }: TestService, text: string) => (await service.db.pool.query(text)).rows

const cli = ({ connection }: TestService, ...args: string[]) =>
  run(args, { DATABASE_URL: addressOf(connection), SECRET_KEY: 's'.repeat(32) })

const appointmentsAt = ({ app }: TestService) =>
  call(app, 'GET', `/crms/crm${practice.path}/appointments`, undefined, {
    headers: { 'x-service-client-id': holdfast.crm.key },
  })

it('a CRM moves to another installation, with its uuids, references, keys and waiting emails', async () => {
  expect(await cli(holdfast, 'crm', 'export', 'crm', '--to', file)).toEqual({ code: 0, output: '' })
  const taken = await cli(elsewhere, 'crm', 'import', file)
  expect(taken).toMatchObject({ code: 1, output: expect.stringContaining('There is a CRM crm here already') })

  const looked = await cli(elsewhere, 'crm', 'delete', 'crm', '--dry-run', '--json')
  expect(JSON.parse(looked.output)).toMatchObject({ crm: 1, api_key: 1 })
  expect((await cli(elsewhere, 'crm', 'delete', 'crm')).output).toContain('Nothing was deleted')
  expect((await cli(elsewhere, 'crm', 'delete', 'crm', '--yes')).output).toContain('Deleted')

  const done = await cli(elsewhere, 'crm', 'import', file, '--json')
  expect(JSON.parse(done.output)).toMatchObject({ crm: 1, appointment: 2, participation: 2 })
  const { body } = await appointmentsAt(holdfast)
  expect(body).toHaveLength(2)
  expect((await appointmentsAt(elsewhere)).body).toEqual(body)
  for (const table of ['resource', 'channel', 'participation', 'mail', 'event'])
    expect(await query(elsewhere, `select uuid from ${table} order by uuid`), table).toEqual(
      expect.arrayContaining(await query(holdfast, `select uuid from ${table} order by uuid`)),
    )
  const slugs = await query(elsewhere, `select slug from provider where slug is not null order by slug`)
  expect(slugs).toEqual([{ slug: 'harbour' }, { slug: 'harbour-2' }, { slug: 'harbour-3' }])
  const texts = 'select description from resource where description is not null'
  expect(await query(elsewhere, texts)).toEqual(await query(holdfast, texts))
  const emailTexts = `select provider.uuid, email_text.kind, email_text.language, email_text.text,
    (select count(*)::int from mail where provider_id = provider.id and own_text = email_text.text) as emails
    from email_text join provider on provider.id = provider_id`
  expect(await query(elsewhere, emailTexts)).toEqual(await query(holdfast, emailTexts))
  expect(await query(elsewhere, emailTexts)).toMatchObject([{ text: 'See you', emails: 2 }])
  expect((await checkInvariants(elsewhere.service.db.pool)).filter(one => one.violations > 0)).toEqual([])

  const events = async (at: TestService) =>
    (
      await call(at.app, 'GET', '/crms/crm/events?limit=500', undefined, {
        headers: { 'x-service-client-id': holdfast.crm.key },
      })
    ).body.events.map(withoutSequence)
  const renamed = JSON.stringify(await events(holdfast)).replaceAll('"slug":"harbour"', '"slug":"harbour-3"')
  expect(await events(elsewhere)).toEqual(JSON.parse(renamed))
})

/** It rises, and is a number of the installation. */
const withoutSequence = ({ sequence, ...event }: { sequence: number }) => event

it('an imported business takes over no address of others, and the output says which it has', async () => {
  await cli(elsewhere, 'crm', 'delete', 'crm', '--yes')
  // Addresses of others there: a reference of a Provider, one of a Resource, a former slug.
  for (const reference of ['quay', 'mole']) await makeProvider(elsewhere.otherCrm, { reference })
  const other = await makePractice(elsewhere.otherCrm)
  await makeResource(elsewhere.otherCrm, other, { reference: 'dock' })
  await query(elsewhere, `update provider set former_slugs = '{pier}' where uuid = '${other.uuid}'`)
  for (const slug of ['quay', 'dock', 'pier', 'basin', 'lagoon']) await makeProvider(holdfast.crm, { slug })
  // References of the CRM itself are no obstacle.
  const own = await makeProvider(holdfast.crm, { reference: 'basin' })
  await query(holdfast, `update provider set former_slugs = '{shore,mole,strand}' where uuid = '${own.uuid}'`)
  await cli(holdfast, 'crm', 'export', 'crm', '--to', file)
  const done = await cli(elsewhere, 'crm', 'import', file, '--json')
  const addresses = [
    { from: 'harbour', to: 'harbour-3' },
    { from: 'quay', to: 'quay-2' },
    { from: 'dock', to: 'dock-2' },
    { from: 'pier', to: 'pier-2' },
    { from: 'mole', to: null },
  ]
  expect(JSON.parse(done.output).addresses).toEqual(addresses)
  const slugs = await query(
    elsewhere,
    `select slug from provider where slug in ('basin', 'lagoon') order by slug`,
  )
  expect(slugs).toEqual([{ slug: 'basin' }, { slug: 'lagoon' }])
  await cli(elsewhere, 'crm', 'delete', 'crm', '--yes')
  const { output } = await cli(elsewhere, 'crm', 'import', file)
  expect(output).toContain('The booking page /book/quay is now /book/quay-2')
  expect(output).toContain('The former address /book/mole is dropped')
  const former = await query(elsewhere, `select former_slugs from provider where uuid = '${own.uuid}'`)
  expect(former).toEqual([{ former_slugs: ['shore', 'strand'] }])
})

it('an incomplete export imports nothing', async () => {
  const cut = join(folder, 'cut.ndjson')
  writeFileSync(cut, `${readFileSync(file, 'utf8').split('\n').slice(0, 12).join('\n')}\n`)
  await cli(elsewhere, 'crm', 'delete', 'crm', '--yes')
  const { code, output } = await cli(elsewhere, 'crm', 'import', cut)
  expect([code, output]).toEqual([1, expect.stringContaining('not whole')])
  expect(await query(elsewhere, `select from crm where name = 'crm'`)).toEqual([])
})

/** Clients that hold slots until the returned function is called, which returns the statuses they got. */
async function keepHolding() {
  const room = await roomWith()
  const free = await slots(room)
  const statuses = new Set<number>()
  let isOver = false
  const hold = async () => {
    for (let turn = 0; !isOver; turn++) {
      const { status } = await consumer.reserve(room.resource, holdOf(free[turn % free.length]!))
      statuses.add(status)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  const clients = [hold(), hold(), hold()]
  return async () => {
    isOver = true
    await Promise.all(clients)
    return [...statuses].sort()
  }
}

it('deleting a CRM in use deletes all its data, and nothing of others', async () => {
  const endClients = await keepHolding()
  const others = await query(
    holdfast,
    `select count(*)::int as keys from api_key join crm on crm.id = crm_id where name = 'other'`,
  )
  const { code, output } = await cli(holdfast, 'crm', 'delete', 'crm', '--yes')
  expect([code, output]).toEqual([0, expect.stringContaining('Deleted')])
  const statuses = await endClients()
  expect(statuses).toEqual(expect.arrayContaining([200, 404]))
  // Taken, too many holds of one client, deleted, and suspended while it is being deleted.
  expect(statuses.filter(status => ![200, 404, 412, 429, 503].includes(status))).toEqual([])
  for (const table of ['provider', 'app_user', 'appointment', 'participation', 'mail', 'event', 'customer'])
    expect(await query(holdfast, `select from ${table}`), table).toEqual([])
  expect(
    await query(
      holdfast,
      `select count(*)::int as keys from api_key join crm on crm.id = crm_id where name = 'other'`,
    ),
  ).toEqual(others)
})

it('jobs of unknown kinds are listed and can be removed; a job with waiting emails cannot', async () => {
  await makePractice(elsewhere.otherCrm)
  const [unknown] = await query(
    elsewhere,
    `select id::text from graphile_worker.add_job('of-another-version')`,
  )
  const listed = JSON.parse((await cli(elsewhere, 'jobs', 'list', '--json')).output)
  expect(listed).toMatchObject([
    {
      id: unknown.id,
      task: 'of-another-version',
      error: expect.stringContaining('No worker of this version'),
    },
  ])
  expect(await cli(elsewhere, 'jobs', 'remove', unknown.id)).toMatchObject({ output: 'Removed.\n' })
  expect((await cli(elsewhere, 'jobs', 'list')).output).toBe('No job has failed.\n')
  expect((await cli(elsewhere, 'jobs', 'remove', unknown.id)).output).toContain('There is no job')

  await jobsQueued(elsewhere)
  const [emails] = await query(
    elsewhere,
    `select id::text from graphile_worker.jobs where key like 'mail:%' limit 1`,
  )
  expect((await cli(elsewhere, 'jobs', 'remove', emails.id)).output).toContain('has unsent emails')
  const [{ recipient }] = await query(
    elsewhere,
    'select recipient from mail where recipient is not null limit 1',
  )
  const kinds = async (...more: string[]) =>
    JSON.parse((await cli(elsewhere, 'mails', 'list', '--json', ...more)).output).length
  expect(await kinds('--to', recipient, '--kind', 'verification')).toBeGreaterThan(0)
  expect(await kinds('--to', 'stranger@example.org')).toBe(0)
  expect(await kinds('--kind', 'reminder')).toBe(0)
  expect((await cli(elsewhere, 'mails', 'list', '--kind', 'x')).output).toContain('--kind must be one of')
})

it('failed emails and jobs are listed and can be retried', async () => {
  await makePractice(elsewhere.otherCrm)
  await query(elsewhere, `update mail set state = 'failed', last_error = '550 no such user'`)
  const listed = await cli(elsewhere, 'mails', 'list', '--state', 'failed', '--json')
  const [mail] = JSON.parse(listed.output)
  expect(mail).toMatchObject({ state: 'failed', kind: 'verification', lastError: '550 no such user' })
  const again = await cli(elsewhere, 'mails', 'retry', mail.uuid, '--json')
  expect(JSON.parse(again.output)).toEqual({ uuid: mail.uuid, again: true })
  expect(await query(elsewhere, `select state from mail where uuid = '${mail.uuid}'`)).toEqual([
    { state: 'queued' },
  ])
  expect((await cli(elsewhere, 'mails', 'retry', 'x')).output).toContain('There is no email x')
  expect((await cli(elsewhere, 'jobs', 'list')).output).toBe('No job has failed.\n')
  expect((await cli(elsewhere, 'jobs', 'retry', '1234567')).output).toContain(
    'There is no waiting job 1234567',
  )

  const [job] = await query(
    elsewhere,
    `select id::text from graphile_worker.add_job('remind', run_at => now() + interval '1 day')`,
  )
  await query(
    elsewhere,
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no' where id = ${job.id}`,
  )
  const failed = JSON.parse((await cli(elsewhere, 'jobs', 'list', '--json')).output)
  expect(failed).toMatchObject([{ id: job.id, task: 'remind', error: 'no' }])
  const retried = await cli(elsewhere, 'jobs', 'retry', job.id, '--json')
  expect(JSON.parse(retried.output)).toEqual({ id: job.id, again: true })
  const [waiting] = JSON.parse((await cli(elsewhere, 'jobs', 'list', '--json')).output)
  expect(waiting).toMatchObject({ id: job.id, attempts: 0 })
})
