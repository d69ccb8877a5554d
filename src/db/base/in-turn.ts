import { Spread } from '../../lib/counts.ts'
import { busyLock, GiveWay } from './postgres-errors.ts'

// Whoever waits for a lock keeps a connection meanwhile. If everybody did, one Resource that somebody has locked and does
// not let go would stop the whole process. So only the first few wait in the database; the others give their connection
// back and wait here, first come, first served, until one of those has got the lock. Whoever has waited too long is told to
// come back.

const mostPatient = 3
const patienceMs = 15_000

type Line = { inDatabase: number; sleepers: Set<() => void> }

const lines = new Map<string, Line>()
let sleeping = 0

/** So many wait here and do nothing meanwhile. */
export const asleep = () => sleeping

/** How many seconds it took to get a lock, whether or not somebody had it. */
export const lockWaits = new Spread([0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 15])

function lineOf(key: string): Line {
  const line = lines.get(key) ?? { inDatabase: 0, sleepers: new Set() }
  lines.set(key, line)
  return line
}

/** Takes a lock; `key` says of what. Where too many wait already, the transaction gives way: see afterOthers. */
export async function inTurn<T>(key: string, lock: () => Promise<T>): Promise<T> {
  const line = lineOf(key)
  if (line.inDatabase >= mostPatient) throw new GiveWay(key)
  line.inDatabase++
  const since = performance.now()
  try {
    return await lock()
  } finally {
    lockWaits.note((performance.now() - since) / 1000)
    line.inDatabase--
    const [next] = line.sleepers
    if (next) next()
    else if (line.inDatabase === 0) lines.delete(key)
  }
}

/** Runs the transaction again, whenever it is its turn, as long as it has to give way. */
export async function afterOthers<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof GiveWay)) throw error
      const left = until - performance.now()
      if (left <= 0 || !(await isWoken(error.key, left))) throw busyLock()
    }
  }
}

/** False when the time is over first. */
function isWoken(key: string, ms: number): Promise<boolean> {
  const line = lineOf(key)
  // The line moved on while the transaction was rolled back.
  if (line.inDatabase < mostPatient) return Promise.resolve(true)
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
