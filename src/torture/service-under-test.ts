import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { runningOn } from '../db/embedded/index.ts'
import { freePort, launch, ourProgram, settings, untilReady } from './instance.ts'

// A service with its own PostgreSQL that is killed and restarted at the same address.

export type ServiceUnderTest = {
  origin: string
  /** Kills like `kill -9`. */
  kill(what: 'service' | 'database' | 'both'): void
  /** How often one of its processes ended without being killed. */
  crashes(): number
  /** What happens to it while clients book, besides kills. */
  meanwhile?(seconds: number): Promise<void>
  /** Until then it is restarted whenever it ends. */
  stop(): Promise<void>
}

type Options = { dataDir: string; smtpUrl: string; processes: number; log: (line: string) => void }

const restartAfterMs = 300

export async function startServiceUnderTest({
  dataDir,
  smtpUrl,
  processes,
  log,
}: Options): Promise<ServiceUnderTest> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const env = { ...settings(port, smtpUrl), DATA_DIR: dataDir, MCP: 'public' }
  const args = ['serve', ...(processes > 1 ? ['--processes', String(processes)] : [])]
  let isStopping = false
  let crashes = 0
  let child = begin()

  function begin(): ChildProcess {
    const started = launch(ourProgram, args, env)
    let output = ''
    started.stdout!.on('data', chunk => {
      // With several processes, the primary replaces the others and logs it.
      for (const line of String(chunk).split('\n'))
        if (/unexpectedly \(exit code/.test(line)) recordCrash(line)
    })
    started.stderr!.on('data', chunk => (output += chunk))
    started.once('exit', code => {
      if (isStopping) return
      // A killed process has no exit code.
      if (code !== null) recordCrash(`The service crashed (exit code ${code}): ${output.slice(-500)}`)
      setTimeout(beginAgain, restartAfterMs)
    })
    return started
  }

  function beginAgain() {
    if (!isStopping) child = begin()
  }

  function recordCrash(line: string) {
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
  // From now on an exit is expected.
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

function killNow(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
