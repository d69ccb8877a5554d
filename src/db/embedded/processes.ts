import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export type Postmaster = { pid: number; port: number; socketFolder: string }

/** The PostgreSQL that runs on this cluster, by the word of its pid file and of the system. */
export function runningPostmaster(cluster: string): Postmaster | null {
  const [pid, , , port, socketFolder] = linesOf(join(cluster, 'postmaster.pid'))
  if (!pid || !port || !socketFolder || !isPostmaster(Number(pid), cluster)) return null
  return { pid: Number(pid), port: Number(port), socketFolder }
}

// A pid alone proves nothing: it may have been given to another process, or be a dead one that nobody has collected.
export function isPostmaster(pid: number, cluster: string): boolean {
  return commandOf(pid).includes(`bin/postgres -D ${cluster} `)
}

/**
 * PostgreSQL believes a lock file when its pid is alive and of the same user, whoever that is; others it removes itself.
 * So take away the lock files whose process is something else by now.
 */
export function removeStaleLocks(cluster: string, socket: { host: string; port: number }): void {
  for (const lock of [join(cluster, 'postmaster.pid'), join(socket.host, `.s.PGSQL.${socket.port}.lock`)]) {
    const pid = Number(linesOf(lock)[0])
    if (pid && exists(pid) && !isPostmaster(pid, cluster)) rmSync(lock, { force: true })
  }
}

/** Processes of a postmaster that died. They work in the cluster's folder, which is how to know them. */
export function orphansOf(cluster: string): number[] {
  return allProcesses().filter(pid => worksIn(pid) === cluster && commandOf(pid).startsWith('postgres:'))
}

/** An initdb that outlived its starter, and the PostgreSQL that it talks to. */
export function initdbIn(draft: string): number[] {
  return allProcesses().filter(pid => {
    const command = commandOf(pid)
    return (
      command.includes(`bin/initdb -D ${draft} `) ||
      (command.includes('bin/postgres ') && worksIn(pid) === draft)
    )
  })
}

export function exists(pid: number): boolean {
  return signal(pid, 0) || existsSync(`/proc/${pid}`)
}

/** False when there is no such process any more. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const hasProc = existsSync('/proc/self/cmdline')

function allProcesses(): number[] {
  return hasProc
    ? readdirSync('/proc')
        .map(Number)
        .filter(pid => pid > 0)
    : []
}

function commandOf(pid: number): string {
  if (hasProc) return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

function worksIn(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

const linesOf = (path: string) => textOf(path).split('\n')

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
