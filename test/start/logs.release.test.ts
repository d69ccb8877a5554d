// What an operator sees: the real process on a terminal, in a pipe, and while its database is gone.

import { type ChildProcess, spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { runInThisContext } from 'node:vm'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { ensureCluster } from '../../src/db/embedded/cluster.ts'
import { SUPERUSER } from '../../src/db/embedded/socket.ts'
import { version } from '../../src/lib/root.ts'
import { newPlace, startPostgres } from '../support/postgres.ts'
import { freePort, newDataDir, serve } from '../support/process.ts'
import { eventually } from '../support/service.ts'

// Real processes on a busy machine; the limit is only reached if something hangs.
vi.setConfig({ testTimeout: 120_000 })

const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Record<string, unknown>)

it('an outage of the database is one line when it begins and one when it ends, without a stack', async () => {
  const place = await newPlace()
  await ensureCluster(place, { sync: false, log: () => {} })
  const postgres = await startPostgres(place, {})
  const { url, output } = await serve({
    DATABASE_URL: `postgres://${SUPERUSER}@127.0.0.1:${postgres.port}/postgres`,
    PORT: await freePort(),
    SECRET_KEY: 's'.repeat(32),
    LOG_LEVEL: 'info',
  })
  await eventually(async () => output().includes('Holdfast is ready'))
  await fetch(`${url}/metrics`)
  const startup = output().length

  await postgres.kill()
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const ask = (path: string) => fetch(`${url}${path}`, { headers: { traceparent } }).then(one => one.status)
  // The job runner restarts about once a second meanwhile.
  for (let probes = 0; probes < 60; probes++) {
    expect(await ask('/resources/unknown/upcoming_bookables')).toBe(503)
    expect(await ask('/readyz')).toBe(503)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  await startPostgres(place, {}, postgres.port)
  await eventually(async () => output().includes('outage ended'), 60)

  const lines = jsonLines(output().slice(startup))
  const requests = lines.filter(line => line.msg === 'answered')
  expect(lines.filter(line => line.msg !== 'answered').map(line => line.msg)).toEqual([
    'outage began: the database is away',
    expect.stringMatching(/^outage ended: the database is away.* \(lasted \d+ s, \d+ failures\)$/),
  ])
  expect(requests).toHaveLength(60)
  expect(requests[0]).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    version,
    reqId: expect.any(String),
    route: '/resources/:ref/upcoming_bookables',
    status: 503,
    code: 'unavailable',
    traceId: '0af7651916cd43dd8448eb211c80319c',
  })
  expect(output()).not.toContain('"stack"')
})

it('the queue library prints no trace past the log; other code still may', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  await import('../../src/start/job-runner.ts')
  const traceIn = (filename: string) => runInThisContext('text => console.trace(text)', { filename })
  traceIn('/srv/node_modules/graphile-worker/dist/main.js')('of the queue')
  traceIn('/srv/src/own.js')('of our own')
  expect(printed.mock.calls.map(call => String(call[0]).split('\n')[0])).toEqual(['Trace: of our own'])
})

it('on a terminal the first start is at most ten lines of text, in colour unless NO_COLOR is set', async () => {
  const env = { DATA_DIR: newDataDir(), PORT: await freePort() }
  const first = onTerminal(env)
  await eventually(async () => first.text().includes('API docs'), 60)
  const lines = first.text().trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(first.text()).not.toMatch(/[{}]/)
  expect(stripVTControlCharacters(first.text())).toContain(
    `Holdfast is ready at http://localhost:${env.PORT} (version ${version})`,
  )
  expect(first.text()).toContain('\u001b[1mHoldfast is ready')
  expect(first.text()).toMatch(/hf_demo_\w+ {3}\(shown once/)
  await fetch(`http://localhost:${env.PORT}/resources/unknown/upcoming_bookables`)
  await eventually(async () =>
    /^\S+Z INFO {2}404 GET \/resources\/:ref\/upcoming_bookables [\d.]+ ms reqId=\S+ code=not-found/m.test(
      stripVTControlCharacters(first.text()),
    ),
  )
  await first.stop()

  const second = onTerminal({ ...env, NO_COLOR: '1' })
  await eventually(async () => second.text().includes('API docs'), 60)
  expect(second.text()).toContain(`Holdfast is ready at http://localhost:${env.PORT} (version ${version})`)
  expect(stripVTControlCharacters(second.text())).toBe(second.text())
  await second.stop()

  const third = onTerminal({ ...env, LOG_FORMAT: 'json' })
  await eventually(async () => third.text().includes('API docs'), 60)
  for (const line of jsonLines(third.text()))
    expect(line).toMatchObject({ level: 'info', version, msg: expect.any(String) })
  await third.stop()
})

/** `serve` with a pseudo terminal, until the test ends. */
function onTerminal(env: Record<string, string>) {
  const command = `exec '${process.execPath}' '${inject('program')}' serve`
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env.PATH, HOME: '/tmp', TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', chunk => (text += String(chunk).replaceAll('\r\n', '\n')))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const stop = async () => {
    // Ctrl-C.
    if (isRunning(child)) child.stdin.write('\u0003')
    await ended
  }
  onTestFinished(stop)
  return { text: () => text, stop }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null
