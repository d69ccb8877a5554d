import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../../lib/start-error.ts'
import type { ClusterPlace } from './cluster-place.ts'
import { diskFull } from './folder-error.ts'
import {
  endPostmaster,
  isPostmaster,
  orphansOf,
  type Postmaster,
  removeStaleLocks,
  runningPostmaster,
  signal,
} from './processes.ts'
import { prepareSocketFolder, removeSocketFolder, type SocketConnection } from './socket.ts'
import { KILLED, spawnPostgres } from './spawn.ts'
import { untilReady } from './wait-until-ready.ts'

export type Server = {
  pid: number
  cluster: string
  connection: SocketConnection
  takenOver: boolean
  /** Resolves when the server has ended, with the reason if known. */
  ended: Promise<string>
}

type LaunchOptions = {
  connection: SocketConnection
  settings: Record<string, string>
  log: (line: string) => void
  /** Stops waiting for the server to become ready; it is returned as it is. */
  signal?: AbortSignal
}

type Refusal = { obstacle: string }

const TRIES_FOR_MS = 15_000

/** Returns a PostgreSQL that answers: the one already running on this cluster, or a new one. */
export async function launch(place: ClusterPlace, options: LaunchOptions): Promise<Server> {
  const deadline = performance.now() + TRIES_FOR_MS
  for (;;) {
    const running = runningPostmaster(place.cluster)
    const server = running ? await takeOver(place, running, options) : await start(place, options)
    if (!('obstacle' in server)) return server
    if (!isTransient(server) || performance.now() > deadline || options.signal?.aborted) {
      removeSocketFolder(options.connection.host)
      throw startFailed(place, server)
    }
    await endOrphans(place.cluster)
  }
}

async function takeOver(
  place: ClusterPlace,
  running: Postmaster,
  options: LaunchOptions,
): Promise<Server | Refusal> {
  const { pid, port, socketFolder } = running
  const { cluster } = place
  const connection = { ...options.connection, host: socketFolder, port }
  const ended = waitUntilGone(pid, cluster)
  const ready = await untilReady(connection, { ...options, ended, deafAfterMs: 10_000 })
  if (ready) return { pid, cluster, connection, takenOver: true, ended }
  // Running but unresponsive (its socket was deleted, or it hangs), so it is ended. Does nothing if it has
  // already ended.
  await endPostmaster(pid, cluster)
  return { obstacle: UNUSABLE }
}

async function start(place: ClusterPlace, options: LaunchOptions): Promise<Server | Refusal> {
  const { connection, settings } = options
  const { cluster } = place
  removeStaleLocks(cluster, connection)
  prepareSocketFolder(connection.host, place.user)
  const { pid, ended, lastWords } = spawnPostgres(place, connection, settings)
  const ready = await untilReady(connection, { ...options, ended })
  return ready ? { pid, cluster, connection, takenOver: false, ended } : { obstacle: lastWords() }
}

// Not our child, so there is no event to wait for.
async function waitUntilGone(pid: number, cluster: string): Promise<string> {
  while (isPostmaster(pid, cluster)) await pause(500, undefined, { ref: false })
  return 'it is gone'
}

const UNUSABLE = 'the PostgreSQL that was running does not answer'

/**
 * Worth a retry: it was killed, orphans hold the shared memory, another instance was faster, or a server that is
 * ending removed its folder.
 */
function isTransient({ obstacle }: Refusal): boolean {
  return obstacle === UNUSABLE || obstacle === KILLED || TRANSIENT.test(obstacle)
}

const TRANSIENT =
  /pre-existing shared memory block|lock file ".*" (already exists|is empty)|create lock file ".*": No such file/

/**
 * The child processes of a killed postmaster keep its shared memory, which blocks a new one. They end within
 * milliseconds or after their current query. Killing them is the same as the crash that has already happened.
 */
async function endOrphans(cluster: string): Promise<void> {
  const patience = performance.now() + 1000
  while (orphansOf(cluster).length > 0 && performance.now() < patience) await pause(20)
  for (const pid of orphansOf(cluster)) signal(pid, 'SIGKILL')
  await pause(50)
}

function startFailed(place: ClusterPlace, { obstacle }: Refusal): StartError {
  if (obstacle.includes('No space left on device')) return diskFull(place.cluster)
  return new StartError(
    `PostgreSQL does not start (${obstacle}): mend that, ${place.log} says more, or set DATABASE_URL.`,
  )
}
