import { setTimeout as pause } from 'node:timers/promises'
import { isPostmaster, signal } from './processes.ts'

// Fast shutdown; immediate shutdown, which means recovery at the next start; and for one that hangs altogether.
const STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 2_000],
]

/** Ends PostgreSQL, by the mildest way that works. */
export async function endPostmaster(pid: number, cluster: string): Promise<void> {
  for (const [name, patience] of STEPS) {
    if (!isPostmaster(pid, cluster)) return
    signal(pid, name)
    await gone(pid, cluster, patience)
  }
}

async function gone(pid: number, cluster: string, patience: number): Promise<void> {
  const deadline = Date.now() + patience
  while (isPostmaster(pid, cluster) && Date.now() < deadline) await pause(20)
}
