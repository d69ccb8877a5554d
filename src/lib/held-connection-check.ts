import { AsyncLocalStorage } from 'node:async_hooks'

// Nothing may wait for the network or a thread while it holds a database connection: ten slow receivers would stop the
// whole service. Every such place calls `assertNoConnectionHeld` first. Only tests switch the check on, because it costs
// a context for every statement.

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
export function assertNoConnectionHeld(what: string) {
  if (holds?.getStore()?.isHeld) throw new Error(`${what} must not wait while a database connection is held.`)
}
