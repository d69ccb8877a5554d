import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { freePort, newDataDir, postmasterOf, run, startCli } from '../support/process.ts'
import { eventually } from '../support/service.ts'

// Real processes on a busy machine; the limit is only reached if something hangs.
vi.setConfig({ testTimeout: 120_000 })

const patience = 60

it('two processes share one port, survive a kill -9 of one of them, and stop together', async () => {
  const env = { DATA_DIR: newDataDir(), PORT: await freePort(), DEMO: '0' }
  const { child, output, exit } = startCli(['serve', '--processes', '2'], env)
  await eventually(async () => output().includes('Holdfast is ready'), patience)
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${env.PORT}${path}`, { headers: { connection: 'close' } })

  for (let attempt = 0; attempt < 10; attempt++) expect((await ask('/healthz')).status).toBe(200)
  expect(await answersBy(await ask('/metrics'))).toEqual([5, 5])

  const [victim] = workersOf(child.pid!)
  process.kill(victim!, 'SIGKILL')
  await eventually(async () => output().includes('(SIGKILL); starting another'), patience)
  for (let attempt = 0; attempt < 20; attempt++) expect((await ask('/readyz')).status).toBe(200)
  await eventually(async () => workersOf(child.pid!).length === 2, patience)
  await eventually(async () => (await answersBy(await ask('/metrics'))).length === 1, patience)

  const all = workersOf(child.pid!)
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
  expect(output()).toContain('Stopped.')
  expect(all.filter(isAlive)).toEqual([])
  expect(postmasterOf(env.DATA_DIR)).toBeNull()
})

it('explains that the port is in use, and leaves nothing behind', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const env = { DATA_DIR: newDataDir(), PORT: String((other.address() as { port: number }).port), DEMO: '0' }
  const { code, output } = await run(['serve', '--processes', '2'], env)
  expect(code).toBe(1)
  expect(output).toContain(`Port ${env.PORT} is used by another program.`)
  expect(postmasterOf(env.DATA_DIR)).toBeNull()
})

it('refuses an invalid number of processes', async () => {
  const { code, output } = await run(['serve', '--processes', 'many'], { DATA_DIR: newDataDir() })
  expect(code).toBe(1)
  expect(output).toContain('--processes must be a whole number from 1 to 64.')
})

/** Number of /healthz responses per process, which take turns. Any process reports for all. */
async function answersBy(metrics: Response): Promise<number[]> {
  const counts = (await metrics.text()).matchAll(
    /requests_total\{process="\d+",[^}]*"\/healthz"[^}]*\} (\d+)/g,
  )
  return [...counts].map(([_key, count]) => Number(count))
}

/** Only the Node children: PostgreSQL is a child too. */
function workersOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const isWorker = (pid: string) =>
    new RegExp(`^PPid:\\s+${parent}$`, 'm').test(read(`/proc/${pid}/status`)) &&
    read(`/proc/${pid}/cmdline`).includes(inject('program'))
  return pids.filter(isWorker).map(Number)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const isAlive = (pid: number) => read(`/proc/${pid}/status`) !== ''
