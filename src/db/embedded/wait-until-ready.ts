import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { SocketConnection } from './socket.ts'

type Watched = {
  /** Resolves when the process that should become ready ends. */
  ended: Promise<string>
  log: (line: string) => void
  /** Stops waiting; the result is then true. */
  signal?: AbortSignal
  /** How long the process may not answer at all. */
  deafAfterMs?: number
}

/**
 * False if the process ends or does not answer. A server that answers "starting up" may be in a long recovery
 * and is waited for as long as it runs.
 */
export async function untilReady(connection: SocketConnection, watched: Watched): Promise<boolean> {
  const { ended, log, signal, deafAfterMs = Number.POSITIVE_INFINITY } = watched
  let alive = true
  ended.then(() => {
    alive = false
  })
  const slow = setTimeout(
    log,
    5000,
    'PostgreSQL is not ready yet; after a crash it has to recover first. Waiting for it',
  )
  const since = performance.now()
  let heard = since
  try {
    while (alive && !signal?.aborted && performance.now() - heard < deafAfterMs) {
      const answer = await tryConnect(connection)
      if (answer === 'ready') return true
      if (answer === 'not yet') heard = performance.now()
      // Each early connection attempt leaves a line in PostgreSQL's log.
      await pause(performance.now() - since < 5000 ? 20 : 250)
    }
    return alive && signal?.aborted === true
  } finally {
    clearTimeout(slow)
  }
}

const CANNOT_CONNECT_NOW = '57P03'
const TOO_MANY_CONNECTIONS = '53300'

async function tryConnect(connection: SocketConnection): Promise<'ready' | 'not yet' | 'silent'> {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return 'ready'
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === TOO_MANY_CONNECTIONS) return 'ready'
    return code === CANNOT_CONNECT_NOW ? 'not yet' : 'silent'
  }
}
