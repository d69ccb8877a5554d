import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { runningOn } from '../db/embedded/index.ts'
import { program } from '../lib/root.ts'
import { apiKey, crm } from './practice.ts'

// The service as it is shipped, in a folder and processes of its own: killed, and started again at the same address.

const main = fileURLToPath(program('main.ts'))

export type Victim = {
  origin: string
  /** Kills one of them as `kill -9` does. */
  kill(what: 'service' | 'database' | 'both'): void
  /** How often one of its processes has ended without being killed. */
  crashes(): number
  /** Until then it is started again as often as it ends. */
  stop(): Promise<void>
}

type Options = { dataDir: string; smtpUrl: string; processes: number; log: (line: string) => void }

const restartAfterMs = 300

export async function startVictim({ dataDir, smtpUrl, processes, log }: Options): Promise<Victim> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const env = settings(dataDir, smtpUrl, port)
  let isStopping = false
  let crashes = 0
  let child = begin()

  function begin(): ChildProcess {
    const started = launch(processes, env)
    let said = ''
    started.stdout!.on('data', chunk => {
      // Of several processes the first one replaces the others and says so.
      for (const line of String(chunk).split('\n')) if (/unexpectedly \(exit code/.test(line)) noteCrash(line)
    })
    started.stderr!.on('data', chunk => (said += chunk))
    started.once('exit', code => {
      if (isStopping) return
      // A kill has no code.
      if (code !== null) noteCrash(`The service ended by itself (exit code ${code}): ${said.slice(-500)}`)
      setTimeout(beginAgain, restartAfterMs)
    })
    return started
  }

  function beginAgain() {
    if (!isStopping) child = begin()
  }

  function noteCrash(line: string) {
    crashes++
    log(line)
  }

  async function stop() {
    isStopping = true
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }

  const firstEnd = once(child, 'exit').then(() => {
    throw new Error('The service did not start.')
  })
  await Promise.race([untilReady(origin), firstEnd]).catch(async error => {
    await stop()
    throw error
  })
  // From now on an end is nothing unusual.
  firstEnd.catch(() => {})
  return {
    origin,
    kill(what) {
      const database = what === 'service' ? null : runningOn(dataDir)
      if (database) killNow(database.pid)
      if (what !== 'database' && child.pid) killNow(child.pid)
    },
    crashes: () => crashes,
    stop,
  }
}

/** Out of reach of the terminal's Ctrl-C: it is stopped by us. */
function launch(processes: number, env: NodeJS.ProcessEnv): ChildProcess {
  const args = [main, 'serve', ...(processes > 1 ? ['--processes', String(processes)] : [])]
  return spawn(process.execPath, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

// Nothing of the caller's settings: what is proved must not depend on them.
const settings = (dataDir: string, smtpUrl: string, port: number): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  DATA_DIR: dataDir,
  PORT: String(port),
  DEMO: '0',
  LOG_LEVEL: 'silent',
  SMTP_URL: smtpUrl,
  BASE_URL: `http://127.0.0.1:${port}`,
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
