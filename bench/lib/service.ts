import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

// The service as shipped: a separate process with its own PostgreSQL in its own folder, fsync on.

export const crm = 'bench'
export const apiKey = `hf_bench_${'b'.repeat(32)}`
export const consoleToken = 'console-token-for-the-benches'
const ourMain = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** `PROFILE=folder` writes a CPU profile of the service there. */
const profiling = process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : []

export type Running = {
  origin: string
  port: number
  pid: number
  /** From the start of the process to its ready message, in milliseconds. */
  startMs: number
  dataDir: string
  /** A direct connection to the service's PostgreSQL. */
  database: pg.PoolConfig
  stop(options?: { keepData?: boolean }): Promise<void>
}

type Options = {
  env?: Record<string, string>
  args?: string[]
  node?: string[]
  dataDir?: string
  /** The main file of another checkout. */
  main?: string
  /** A command that runs the rest of its line, such as taskset. */
  prefix?: string[]
}

export async function startService({
  env = {},
  args = [],
  node = [],
  dataDir,
  main = ourMain,
  prefix = [],
}: Options = {}): Promise<Running> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const begun = performance.now()
  const [command, ...rest] = [...prefix, process.execPath, ...profiling, ...node, main, 'serve', ...args]
  const child = spawn(command!, rest, {
    env: { ...process.env, ...settings(folder), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await readyAt(child)
  const startMs = performance.now() - begun
  return {
    origin: origin.replace('localhost', '127.0.0.1'),
    port: Number(new URL(origin).port),
    pid: child.pid!,
    startMs,
    dataDir: folder,
    database: env.DATABASE_URL ? { connectionString: env.DATABASE_URL } : databaseIn(folder),
    async stop({ keepData = false } = {}) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      if (!keepData) await rm(folder, { recursive: true, force: true })
    },
  }
}

const settings = (dataDir: string) => ({
  DATA_DIR: dataDir,
  PORT: '0',
  DEMO: '0',
  LOG_LEVEL: 'warn',
  BOOTSTRAP_CRM: crm,
  BOOTSTRAP_API_KEY: apiKey,
  BOOTSTRAP_CONSOLE_TOKEN: consoleToken,
  // Holds must outlive a round, or the cleanup of the first round would be measured in the last.
  HOLD_SECONDS: '3600',
})

async function readyAt(child: ChildProcess): Promise<string> {
  const output: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    output.push(line)
    const origin = line.match(/ready at (http:[^\s"]+)/)?.[1]
    if (!origin) continue
    child.stdout!.resume()
    return origin
  }
  throw new Error(`The service did not start:\n${output.join('\n')}`)
}

/** PostgreSQL records its own port. */
function databaseIn(folder: string): pg.PoolConfig {
  const lines = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return { host: lines[4]!, port: Number(lines[3]), user: 'holdfast', database: 'holdfast' }
}

/** Runs the statements on a connection of its own. */
export async function withSql<T>({ database }: Running, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(database as pg.ClientConfig)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
