import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from './launch.ts'
import { endPostmaster } from './processes.ts'
import { removeSocketFolder } from './socket.ts'

type Supervisor = { stop(): Promise<void>; leave(): void }
type Launch = (signal: AbortSignal) => Promise<Server>

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
const SOUND_AFTER_MS = 60_000

/** Restarts PostgreSQL whenever it ends, until stopped. */
export function supervise(first: Server, launch: Launch, log: (line: string) => void): Supervisor {
  const released = new AbortController()
  let current: Promise<Server | null> = Promise.resolve(first)
  watch()

  async function watch(): Promise<void> {
    let delay = 0
    for (let server = await current; server; server = await current) {
      const since = performance.now()
      const how = await server.ended
      if (released.signal.aborted) return
      log(`PostgreSQL ended unexpectedly (${how}); starting it again`)
      // Backs off from a server that ends right after each start.
      delay = performance.now() - since > SOUND_AFTER_MS ? 0 : longer(delay)
      current = restart(delay)
    }
  }

  async function restart(delay: number): Promise<Server | null> {
    for (let wait = delay; await sleep(wait); wait = longer(wait)) {
      try {
        const server = await launch(released.signal)
        log('PostgreSQL is running again')
        return server
      } catch (error) {
        log(`${(error as Error).message} Trying again in ${longer(wait) / 1000} s.`)
      }
    }
    return null
  }

  /** False if stopped meanwhile. */
  async function sleep(ms: number): Promise<boolean> {
    if (ms > 0) await pause(ms, undefined, { ref: false, signal: released.signal }).catch(() => {})
    return !released.signal.aborted
  }

  async function stop(): Promise<void> {
    released.abort()
    const server = await current
    if (!server) return
    await endPostmaster(server.pid, server.cluster)
    removeSocketFolder(server.connection.host)
  }

  return { stop, leave: () => released.abort() }
}

function longer(delay: number): number {
  return Math.min(Math.max(delay * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
}
