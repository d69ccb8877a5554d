import { spawn } from 'node:child_process'
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { program } from './binaries.ts'
import type { ClusterPlace } from './cluster-place.ts'
import { explainFolder } from './folder-error.ts'
import { programEnvironment, type SocketConnection } from './socket.ts'
import { runAs } from './system-user.ts'

type Spawned = {
  pid: number
  ended: Promise<string>
  /** The last lines of its output, which give the reason. */
  lastWords(): string
}

export function spawnPostgres(
  place: ClusterPlace,
  connection: SocketConnection,
  settings: Record<string, string>,
): Spawned {
  const log = explainFolder(place.log, () => openLog(place.log))
  const child = spawn(
    program(place.binaries, 'postgres'),
    ['-D', place.cluster, ...options(connection, settings)],
    {
      ...runAs(place.user),
      cwd: '/',
      env: programEnvironment(),
      // A session of its own: Ctrl-C in the terminal stops the service, which still needs its database to
      // shut down.
      detached: true,
      stdio: ['ignore', log.file, log.file],
    },
  )
  closeSync(log.file)
  child.unref()
  let reason = ''
  const ended = new Promise<string>(resolve => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', error => resolve(error.message))
  })
  ended.then(how => {
    reason = how
  })
  const lastWords = () => (reason === 'SIGKILL' ? KILLED : (complaintIn(place.log, log.size) ?? reason))
  return { pid: child.pid ?? 0, ended, lastWords }
}

function options(connection: SocketConnection, settings: Record<string, string>): string[] {
  const all = {
    listen_addresses: '',
    unix_socket_directories: connection.host,
    unix_socket_permissions: '0700',
    port: String(connection.port),
    max_connections: '200',
    // Expired holds leave dead rows; with the default of one minute, a busy hour would fill the disk.
    autovacuum_naptime: '15s',
    // The first change to a page after a checkpoint logs the whole page; compression halves that.
    wal_compression: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The service receives its own errors. In this file they would only store personal data and fill the
    // disk.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** By hand, or by the system for lack of memory. */
export const KILLED = 'it was killed while it started'

const LOG_LIMIT = 10 * 1024 * 1024

function openLog(path: string): { file: number; size: number } {
  const file = openSync(path, 'a', 0o600)
  if (fstatSync(file).size > LOG_LIMIT) ftruncateSync(file)
  return { file, size: fstatSync(file).size }
}

function complaintIn(log: string, from: number): string | null {
  const lines = readFileSync(log).subarray(from).toString().trim().split('\n')
  const line = lines.findLast(isReason) ?? lines.at(-1)
  return line?.replace(/^.*(FATAL|PANIC):\s*/, '') || null
}

// "The database system is starting up" only answers early connection attempts.
function isReason(line: string): boolean {
  return /(FATAL|PANIC):/.test(line) && !line.includes('the database system is')
}
