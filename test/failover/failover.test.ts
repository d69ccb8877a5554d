// npm run failover: a machine dies and its standby takes over, without manual steps.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openMailSink } from '../../src/torture/mail-sink.ts'
import { apiKey, crm } from '../../src/torture/seed.ts'
import { freePort, serve } from '../support/process.ts'
import { eventually } from '../support/service.ts'
import { bookedIn, startCrowd } from './crowd.ts'
import { startPair } from './pair.ts'

vi.setConfig({ testTimeout: 180_000 })

it.each([2, 10])(
  'nothing is lost when a primary is killed and a standby promoted %i s later, and bookings and emails continue',
  async readOnlySeconds => {
    const pair = await startPair()
    const sink = await openMailSink()
    onTestFinished(() => sink.close())
    const service = await serve({
      DATABASE_URL: pair.url,
      PORT: await freePort(),
      SECRET_KEY: 's'.repeat(32),
      SMTP_URL: sink.url,
      BASE_URL: 'http://localhost',
      DEMO: '0',
      BOOTSTRAP_CRM: crm,
      BOOTSTRAP_API_KEY: apiKey,
      RATE_LIMIT_RESOURCE: '0',
    })
    const crowd = await startCrowd(service.url)
    await eventually(async () => crowd.promised.length >= 100, 60)
    pair.killPrimary()
    const killed = Date.now()
    await pause(readOnlySeconds * 1000)
    await pair.promote()
    const promoted = Date.now()
    const isAfter = (one: { at: number }) => one.at > promoted - 1000 && one.at > killed + 1000
    await eventually(async () => crowd.promised.filter(isAfter).length >= 100, 60)
    await crowd.end()

    const before = crowd.promised.filter(one => one.at < killed).length
    const first = crowd.promised.find(isAfter)
    const emails = crowd.promised.map(one => one.email)
    const booked = await bookedIn(service.url)
    const isTold = () => emails.every(email => sink.arrivals.some(one => one.to === email))
    await eventually(async () => isTold(), 90).catch(() => {})
    const unlucky = emails.filter(email => !sink.arrivals.some(one => one.to === email))
    const report = {
      acknowledged: emails.length,
      before,
      lost: emails.filter(email => !booked.has(email)).length,
      firstAfterMs: first ? first.at - promoted : null,
      answers: crowd.answers,
      withoutMail: unlucky.length,
      mailsOutAfterMs: Date.now() - promoted,
    }
    console.log(JSON.stringify(report))
    expect(report).toMatchObject({ lost: 0, withoutMail: 0 })
    // Finds a hang; it is no measurement, because CI runs other steps beside this one.
    expect(report.firstAfterMs).toBeLessThan(10_000)
    expect(Object.keys(crowd.answers).sort()).toEqual(['201', '503'])
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    // Still the same process.
    expect(service.child.exitCode).toBeNull()
  },
)
