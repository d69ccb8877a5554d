import { setTimeout as pause } from 'node:timers/promises'
import { isPostmaster, signal } from './processes.ts'

// Fast shutdown, then immediate shutdown (with recovery at the next start), then kill.
const STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 2_000],
]

/** Ends PostgreSQL as gently as possible. */
export async function endPostmaster(pid: number, cluster: string): Promise<void> {
  for (const [name, timeoutMs] of STEPS) {
    if (!isPostmaster(pid, cluster)) return
    signal(pid, name)
    await gone(pid, cluster, timeoutMs)
  }
}

async function gone(pid: number, cluster: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (isPostmaster(pid, cluster) && performance.now() < deadline) await pause(20)
}
