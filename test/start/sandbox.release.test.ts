import { afterAll, expect, it } from 'vitest'
import { openDb } from '../../src/db/base/pool.ts'
import { markSandbox } from '../../src/db/base/sandbox.ts'
import { checkSandbox } from '../../src/start/checks.ts'
import { asConsumer, bookingOf, holdOf, overHttp, slotsOf } from '../support/consumer.ts'
import { emptyDatabase } from '../support/databases.ts'
import { freePort, run, startCli } from '../support/process.ts'
import { cloneDatabase } from '../support/service.ts'

const databases: ReturnType<typeof openDb>[] = []
afterAll(() => Promise.all(databases.map(one => one.close())))

const opened = (connection: Parameters<typeof openDb>[0]) => {
  const db = openDb(connection)
  databases.push(db)
  return db
}

it('a database is a sandbox from its creation or never', async () => {
  const used = opened(await cloneDatabase())
  await expect(checkSandbox(used, true, true)).rejects.toThrow('only on a database that was created with it')
  await expect(checkSandbox(used, false, true)).resolves.toBeUndefined()
  const connection = await emptyDatabase()
  const fresh = opened(connection)
  await expect(checkSandbox(fresh, true, false)).rejects.toThrow('created with it')
  await checkSandbox(fresh, true, true)
  // The mark counts for new connections.
  const again = opened(connection)
  await expect(checkSandbox(again, false, true)).rejects.toThrow('This database is a sandbox')
  await expect(checkSandbox(again, true, true)).resolves.toBeUndefined()
  await markSandbox(again)
})

it('the settings of a sandbox keep everything on the machine', async () => {
  const { code, output } = await run(['serve'], { SANDBOX: '1', SMTP_URL: 'smtp://mail.example.org' })
  expect(code).toBe(1)
  expect(output).toContain('unset SMTP_URL')
})

const key = `hf_sandbox_${'0'.repeat(32)}`

it('walks a booking from hold to reminder to no-show, and fails on demand', {
  timeout: 120_000,
}, async () => {
  const port = await freePort()
  const { child, output, exit } = startCli(['sandbox'], { PORT: port, LOG_LEVEL: 'warn', SMTP_URL: '' })
  const url = `http://localhost:${port}`
  while (
    !(await fetch(`${url}/readyz`).then(
      one => one.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(output())
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  const send = overHttp(url)
  const consumer = asConsumer(send)
  const asCrm = { headers: { 'x-service-client-id': key } }
  const ref = 'room-1@demo'
  const clock = async () => Date.parse((await send('GET', '/sandbox/clock')).body.now)
  const emails = async (to: string): Promise<{ kind: string; links: string[] }[]> =>
    (await send('GET', `/sandbox/emails?to=${encodeURIComponent(to)}`)).body.emails.toReversed()

  // A start that is more than a day ahead, so that the reminder comes later.
  const inTwoDays = new Date((await clock()) + 2 * 86_400_000).toISOString()
  const [slot] = slotsOf(await consumer.list(ref, { from: inTwoDays }))
  const hold = await consumer.reserve(ref, holdOf(slot!))
  expect(hold.status).toBe(200)
  expect((await consumer.reserve(ref, holdOf(slot!))).status).toBe(412)
  await send('POST', '/sandbox/clock', { minutes: 4 })
  const renewed = await consumer.reserve(ref, holdOf(slot!))
  expect(renewed.status).toBe(200)

  // The answer is lost, but the booking is made: the same request gets the same answer.
  const booking = bookingOf(slot!, { placeholder_id: renewed.body.participation.customer_uuid, locale: 'en' })
  const path = `/resources/${encodeURIComponent(ref)}/create_appointment_with_consumer`
  await send('POST', '/sandbox/fail-next', { path, drop: true })
  await expect(consumer.complete(ref, booking)).rejects.toThrow()
  await send('POST', '/sandbox/fail-next', { path, status: 503, delayMs: 5 })
  expect((await consumer.complete(ref, booking)).status).toBe(503)
  expect((await consumer.complete(ref, booking)).status).toBe(201)
  const { email } = booking as unknown as { email: string }
  expect((await emails(email)).map(one => one.kind)).toEqual(['booked'])
  expect((await emails(email))[0]!.links.some(link => link.includes('/cancel/'))).toBe(true)

  // To the end of the appointment in one jump: the reminder was due on the way.
  const end = Date.parse(slot!.end)
  const moved = await send('PUT', '/sandbox/clock', { now: new Date(end + 60_000).toISOString() })
  expect(Date.parse(moved.body.now)).toBeGreaterThanOrEqual(end + 60_000)
  expect((await emails(email)).map(one => one.kind)).toEqual(['booked', 'reminder'])
  const appointments = '/crms/demo/provider/provider%40demo/appointments'
  const from = encodeURIComponent(new Date(end - 86_400_000).toISOString())
  const listed = await send('GET', `${appointments}?from=${from}`, undefined, asCrm)
  const own = listed.body
    .flatMap((one: { participations: { email: string; reference: string }[] }) => one.participations)
    .find((one: { email: string }) => one.email === email)
  const missed = await send(
    'POST',
    `/crms/demo/provider/provider%40demo/participations/${encodeURIComponent(own.reference)}/attendance`,
    { attendance: 'MISSED' },
    asCrm,
  )
  expect(missed.status).toBe(200)

  // Receivers on this machine, without TLS.
  const hook = await send('POST', '/crms/demo/webhooks', { url: 'http://localhost:9/hook' }, asCrm)
  expect(hook.status).toBe(201)

  // Earlier times come back with the clock.
  expect(slotsOf(await consumer.list(ref)).length).toBeGreaterThan(0)
  const reset = await send('POST', '/sandbox/reset')
  expect(reset.status).toBe(200)
  expect(Math.abs((await clock()) - Date.now())).toBeLessThan(60_000)
  expect(await emails(email)).toEqual([])
  expect((await send('GET', '/crms/demo/provider/provider%40demo', undefined, asCrm)).status).toBe(200)
  expect(slotsOf(await consumer.list(ref)).length).toBeGreaterThan(0)
  for (const body of [{}, { days: -1 }, { days: 1e12 }])
    expect((await send('POST', '/sandbox/clock', body)).status).toBe(400)
  expect((await send('PUT', '/sandbox/clock', { now: 'soon' })).status).toBe(400)
  expect((await send('POST', '/sandbox/fail-next', { path: '/x' })).status).toBe(400)

  child.kill('SIGTERM')
  expect(await exit).toBe(0)
})
