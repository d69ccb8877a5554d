import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { apiKey, crm } from './practice.ts'

// The service as it is shipped, in a folder and a process of its own: killed, and started again at the same address.

const main = new URL('../main.ts', import.meta.url).pathname

export type Victim = {
  origin: string
  /** Kills one of them as `kill -9` does. */
  kill(what: 'service' | 'database' | 'both'): void
  /** How often it has ended without being killed. */
  crashes(): number
  /** Started again as often as it ends, until it is stopped for good. */
  stop(): Promise<void>
}

type Options = { dataDir: string; smtpUrl: string; processes: number; log: (line: string) => void }

export async function startVictim({ dataDir, smtpUrl, processes, log }: Options): Promise<Victim> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  let isStopping = false
  let crashes = 0
  let child = start()

  function start(): ChildProcess {
    const args = [main, 'serve', ...(processes > 1 ? ['--processes', String(processes)] : [])]
    const started = spawn(process.execPath, args, {
      env: { ...process.env, ...settings(dataDir, smtpUrl, port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    started.stderr!.on('data', chunk => (said += chunk))
    started.once('exit', code => {
      if (isStopping) return
      // A kill has no code. Whatever else ends it is worth knowing.
      if (code !== null) crashes++
      if (code !== null) log(`The service ended by itself (exit code ${code}): ${said.slice(-500)}`)
      child = start()
    })
    return started
  }

  await untilReady(origin)
  return {
    origin,
    kill(what) {
      const database = what === 'service' ? null : postmasterOf(dataDir)
      if (database !== null) killNow(database)
      if (what !== 'database') killNow(child.pid!)
    },
    crashes: () => crashes,
    async stop() {
      isStopping = true
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
      child.kill('SIGTERM')
      await ended
    },
  }
}

const settings = (dataDir: string, smtpUrl: string, port: number) => ({
  DATA_DIR: dataDir,
  PORT: String(port),
  HOST: '127.0.0.1',
  DEMO: '0',
  LOG_LEVEL: 'silent',
  SMTP_URL: smtpUrl,
  BASE_URL: `http://127.0.0.1:${port}`,
  DATABASE_URL: '',
  // Short, so that many expire while others want the same slot.
  HOLD_SECONDS: '5',
  BOOTSTRAP_CRM: crm,
  BOOTSTRAP_API_KEY: apiKey,
})

export async function untilReady(origin: string) {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const isReady = await fetch(`${origin}/readyz`).then(
      response => response.ok,
      () => false,
    )
    if (isReady) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('The service did not come up within two minutes.')
}

function postmasterOf(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

function killNow(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
