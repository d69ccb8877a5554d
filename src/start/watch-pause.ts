import { readPause } from '../db/base/outgoing-pause.ts'
import type { Db } from '../db/base/pool.ts'

const lookEveryMs = 1_000

/** Settles `changed` when an operator pauses or resumes emails; the runner then restarts with other tasks. */
export async function watchPause(db: Db) {
  const isPaused = (await readPause(db)) !== null
  let settle = () => {}
  const changed = new Promise<void>(resolve => (settle = resolve))
  const look = async () => {
    if (((await readPause(db)) !== null) !== isPaused) settle()
  }
  // Without a database nothing can be sent either; the next check retries.
  const timer = setInterval(() => look().catch(() => {}), lookEveryMs)
  timer.unref()
  return { isPaused, changed, stop: () => clearInterval(timer) }
}
