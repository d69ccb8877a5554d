import { lockWaits } from '../../lib/watch/metrics.ts'
import { busyLock, LockQueueFull } from './postgres-errors.ts'

// A transaction that waits for a lock occupies a connection. If all of them waited, one locked Resource would
// stop the whole process. So only a few wait in the database; the others give their connection back and wait
// here, first come, first served. After a timeout the request is refused.

const maxInDatabase = 3
const maxWaitMs = 15_000

type Line = { inDatabase: number; sleepers: Set<() => void> }

const lines = new Map<string, Line>()
let sleeping = 0

/** Number of transactions waiting here without a connection. */
export const waitingForLocks = () => sleeping

function lineOf(key: string): Line {
  const line = lines.get(key) ?? { inDatabase: 0, sleepers: new Set() }
  lines.set(key, line)
  return line
}

/**
 * Takes the lock named by `key`. Throws LockQueueFull if too many transactions already wait; see
 * retryWhenQueueFull.
 */
export async function lockInTurn<T>(key: string, lock: () => Promise<T>): Promise<T> {
  const line = lineOf(key)
  if (line.inDatabase >= maxInDatabase) throw new LockQueueFull(key)
  line.inDatabase++
  const since = performance.now()
  try {
    return await lock()
  } finally {
    lockWaits.observe((performance.now() - since) / 1000)
    line.inDatabase--
    const [next] = line.sleepers
    if (next) next()
    else if (line.inDatabase === 0) lines.delete(key)
  }
}

/** Runs the transaction again when its turn comes, as long as the lock queue is full. */
export async function retryWhenQueueFull<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + maxWaitMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LockQueueFull)) throw error
      const left = until - performance.now()
      if (left <= 0 || !(await isWoken(error.key, left))) throw busyLock()
    }
  }
}

/** False on timeout. */
function isWoken(key: string, ms: number): Promise<boolean> {
  const line = lineOf(key)
  // The queue moved on while the transaction was rolled back.
  if (line.inDatabase < maxInDatabase) return Promise.resolve(true)
  return new Promise(resolve => {
    const wake = (isWoken: boolean) => {
      clearTimeout(timer)
      if (line.sleepers.delete(next)) sleeping--
      resolve(isWoken)
    }
    const next = () => wake(true)
    const timer = setTimeout(() => wake(false), ms)
    line.sleepers.add(next)
    sleeping++
  })
}
