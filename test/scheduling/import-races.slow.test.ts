import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makePractice } from '../support/build.ts'
import { type ImportAnswer, importsOf } from '../support/imports.ts'
import { eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const { service, crm } = holdfast
const { pool } = service.db

const { call, work, upload, check, start } = importsOf(holdfast)

const checked = async (provider: { uuid: string }, text: string, kind: string): Promise<ImportAnswer> =>
  check(await upload(provider, text, kind))

const problems = async (page: ImportAnswer) =>
  (await call('GET', `/imports/${page.uuid}/problems`)).lines.map((one: ImportAnswer) => [
    one.line,
    ...one.problems.map((problem: ImportAnswer) => problem.rule ?? problem.code),
  ])

const count = async (query: string, ...values: unknown[]) =>
  (await pool.query(`select count(*)::int as count from ${query}`, values)).rows[0].count

describe('appointments', () => {
  it('are booked where nothing is in the way, and an undo cancels them without emails', async () => {
    const practice = await makePractice(crm)
    const text = [
      'Datum;Uhrzeit;Dauer;Kunde;E-Mail',
      '07.01.2030;10:00;30;Ann Berg;ann@example.org',
      '07.01.2030;10:15;30;Ben;',
      '8.1.2030;9 Uhr;45;Ann Berg;ann@example.org',
      '8.1.2020;9:00;45;Cem;',
      '9.1.2030;25:00;45;Cem;',
      '9.1.2030;8:00;20;;',
    ].join('\n')
    const page = await checked(practice, text, 'appointments')
    expect(page.mapping).toEqual(['day', 'time', 'duration', 'name', 'email'])
    expect(page.counts).toMatchObject({ CREATED: 2, REFUSED: 4 })
    expect(
      await count('appointment where provider_id = (select id from provider where uuid = $1)', practice.uuid),
    ).toBe(0)
    const found = await problems(page)
    expect(found).toEqual([
      [3, 'conflict'],
      [5, 'future'],
      [6, 'time'],
      [7, 'missing-field'],
    ])
    const mails = await count('mail')
    await start(page)
    const done = await work(page.uuid)
    expect(done).toMatchObject({ state: 'DONE', newCustomers: 1, counts: { CREATED: 2, REFUSED: 4 } })
    expect(await problems(page)).toEqual(found)
    const booked = `participation where state = 'BOOKED' and name = 'Ann Berg' and customer_id is not null`
    expect(await count(booked)).toBe(2)
    // The same file again: every time is taken.
    expect((await checked(practice, text, 'appointments')).counts).toMatchObject({ CREATED: 0, REFUSED: 6 })
    await call('POST', `/imports/${page.uuid}/undo`)
    expect((await work(page.uuid)).counts).toMatchObject({ UNDONE: 2, KEPT: 0 })
    expect(await count(booked)).toBe(0)
    expect((await crm.get(`${practice.path}/customers`)).body).toEqual([])
    expect(await count('mail')).toBe(mails)
  })
})

describe('two imports of one file at the same time', () => {
  it('create each customer once', async () => {
    const practice = await makePractice(crm)
    const text = ['name,email', ...Array.from({ length: 500 }, (_, index) => `Name ${index},`)].join('\n')
    const pages = [await checked(practice, text, 'customers'), await checked(practice, text, 'customers')]
    for (const page of pages) await start(page)
    const done = await Promise.all(pages.map(page => work(page.uuid)))
    expect(done.map(one => one.state)).toEqual(['DONE', 'DONE'])
    expect(done.reduce((sum, one) => sum + one.counts.CREATED, 0)).toBe(500)
    expect(done.reduce((sum, one) => sum + one.counts.UNCHANGED, 0)).toBe(500)
    expect(
      await count('customer where provider_id = (select id from provider where uuid = $1)', practice.uuid),
    ).toBe(500)
  })

  it('and two workers on one import neither lose nor repeat a line', async () => {
    const practice = await makePractice(crm)
    const text = ['name,email', ...Array.from({ length: 500 }, (_, index) => `Other ${index},`)].join('\n')
    const page = await checked(practice, text, 'customers')
    await start(page)
    const [done] = await Promise.all([work(page.uuid), work(page.uuid)])
    expect(done.counts).toMatchObject({ CREATED: 500, WAITING: 0 })
    expect(
      await count(
        `event where kind = 'customer.created' and provider_id = (select id from provider where uuid = $1)`,
        practice.uuid,
      ),
    ).toBe(500)
  })
})

describe('a worker that is killed', () => {
  it('loses no line and repeats none: the next one continues', { timeout: 120_000 }, async () => {
    const practice = await makePractice(crm)
    const lines = Array.from({ length: 1000 }, (_, index) => `Killed ${index},`)
    const page = await checked(practice, ['name,email', ...lines].join('\n'), 'customers')
    await start(page)
    const env = { LOG_LEVEL: 'silent', BASE_URL: 'http://holdfast.test' }
    const child = spawn(process.execPath, ['test/support/worker-process.ts'], {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        WORKER: JSON.stringify({ connection: holdfast.connection, env }),
      },
      stdio: 'inherit',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const done = `data_import_line where result = 'CREATED' and import_id = (select id from data_import where uuid = $1)`
    await eventually(async () => (await count(done, page.uuid)) > 0, 60)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await work(page.uuid)).toMatchObject({ state: 'DONE', counts: { CREATED: 1000, WAITING: 0 } })
    const here = `provider_id = (select id from provider where uuid = $1)`
    expect(await count(`customer where ${here}`, practice.uuid)).toBe(1000)
    expect(await count(`event where kind = 'customer.created' and ${here}`, practice.uuid)).toBe(1000)
  })
})
