// npm run failover: instances behind a load balancer are replaced one by one with deploy/haproxy.cfg.

import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { packagePath } from '../../src/lib/root.ts'
import { apiKey, crm } from '../../src/torture/seed.ts'
import { addressOf, emptyDatabase } from '../support/databases.ts'
import { freePort, newDataDir, serve } from '../support/process.ts'
import { eventually } from '../support/service.ts'
import { bookedIn, startCrowd } from './crowd.ts'

const isHere = spawnSync('haproxy', ['-v']).status === 0

it.skipIf(!isHere)(
  'every request is answered while instances behind HAProxy are restarted in turn',
  async () => {
    const env = {
      DATABASE_URL: addressOf(await emptyDatabase()),
      SECRET_KEY: 's'.repeat(32),
      BASE_URL: 'http://localhost',
      DRAIN_SECONDS: '3',
      BOOTSTRAP_CRM: crm,
      BOOTSTRAP_API_KEY: apiKey,
      RATE_LIMIT_PUBLIC: '0',
      RATE_LIMIT_RESOURCE: '0',
      TRUST_PROXY: '1',
    }
    const ports = [await freePort(), await freePort()]
    const instances = [await serve({ ...env, PORT: ports[0]! }), await serve({ ...env, PORT: ports[1]! })]
    const url = await startHaproxy(ports)

    const crowd = await startCrowd(url)
    const more = async () => {
      const now = crowd.promised.length
      await eventually(async () => crowd.promised.length >= now + 30, 60)
    }
    for (const [index, port] of ports.entries()) {
      await more()
      instances[index]!.child.kill('SIGTERM')
      expect(await instances[index]!.exit).toBe(0)
      await more()
      instances[index] = await serve({ ...env, PORT: port })
      // Stops the other instance only once this one receives requests again.
      await eventually(async () => (await isUsed(port)) === true, 30)
    }
    await more()
    await crowd.end()
    expect(crowd.said).toEqual([])
    expect(Object.keys(crowd.answers)).toEqual(['201'])
    const booked = await bookedIn(url)
    expect(crowd.promised.filter(({ email }) => !booked.has(email))).toEqual([])
  },
  240_000,
)

/** Whether it has answered a booking: routes are counted from their first response. */
const isUsed = async (port: string) =>
  (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).includes(
    'create_appointment_with_consumer',
  )

/** The shipped file, with other ports. */
async function startHaproxy(ports: string[]): Promise<string> {
  const port = await freePort()
  const file = join(newDataDir(), 'haproxy.cfg')
  const text = readFileSync(packagePath('deploy/haproxy.cfg'), 'utf8')
  writeFileSync(
    file,
    text
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
      .replaceAll('/etc/haproxy/', packagePath('deploy/error-page/').pathname)
      .replaceAll('127.0.0.1:8081', `127.0.0.1:${ports[0]}`)
      .replaceAll('127.0.0.1:8082', `127.0.0.1:${ports[1]}`),
  )
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await eventually(() =>
    fetch(`${url}/readyz`).then(
      answer => answer.ok,
      () => false,
    ),
  )
  return url
}
