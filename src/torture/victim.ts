import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { runningOn } from '../db/embedded/index.ts'
import { freePort, launch, ourProgram, settings, untilReady } from './instance.ts'

// One service with its own PostgreSQL: killed, and started again at the same address.

export type Victim = {
  origin: string
  /** Kills one of them as `kill -9` does. */
  kill(what: 'service' | 'database' | 'both'): void
  /** How often one of its processes has ended without being killed. */
  crashes(): number
  /** What happens to it by itself while clients book, besides kills. */
  meanwhile?(seconds: number): Promise<void>
  /** Until then it is started again as often as it ends. */
  stop(): Promise<void>
}

type Options = { dataDir: string; smtpUrl: string; processes: number; log: (line: string) => void }

const restartAfterMs = 300

export async function startVictim({ dataDir, smtpUrl, processes, log }: Options): Promise<Victim> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const env = { ...settings(port, smtpUrl), DATA_DIR: dataDir }
  const args = ['serve', ...(processes > 1 ? ['--processes', String(processes)] : [])]
  let isStopping = false
  let crashes = 0
  let child = begin()

  function begin(): ChildProcess {
    const started = launch(ourProgram, args, env)
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

function killNow(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
