import { AsyncLocalStorage } from 'node:async_hooks'

// A connection that is held while something else is waited for is missing for everyone: ten slow receivers would stop the
// whole service. Every place that waits for the network or for a thread calls `goesOutside` first. The check itself is
// switched on by the tests; in production it would cost a context for every statement.

type Hold = { isHeld: boolean }

let holds: AsyncLocalStorage<Hold> | null = null

export function checkHeldConnections() {
  holds ??= new AsyncLocalStorage()
}

/** Runs work that holds a database connection. */
export function holdingConnection<T>(work: () => Promise<T>): Promise<T> {
  if (!holds) return work()
  const hold: Hold = { isHeld: true }
  return holds.run(hold, work).finally(() => {
    hold.isHeld = false
  })
}

/** Throws where the caller holds a connection and the check is on. */
export function goesOutside(what: string) {
  if (holds?.getStore()?.isHeld) throw new Error(`${what} must not wait while a database connection is held.`)
}
