import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export type Postmaster = { pid: number; port: number; socketFolder: string }

/** The PostgreSQL that runs on this cluster, according to its pid file and the process list. */
export function runningPostmaster(cluster: string): Postmaster | null {
  const [pid, _second, _third, port, socketFolder] = linesOf(join(cluster, 'postmaster.pid'))
  if (!pid || !port || !socketFolder || !isPostmaster(Number(pid), cluster)) return null
  return { pid: Number(pid), port: Number(port), socketFolder }
}

// A pid alone proves nothing: it may have been reused or be a zombie.
export function isPostmaster(pid: number, cluster: string): boolean {
  return commandOf(pid).includes(`bin/postgres -D ${cluster} `)
}

/**
 * PostgreSQL trusts a lock file if its pid is alive and belongs to the same user, even if the process is
 * another program. So such lock files are removed; PostgreSQL removes the others itself.
 */
export function removeStaleLocks(cluster: string, socket: { host: string; port: number }): void {
  for (const lock of [join(cluster, 'postmaster.pid'), join(socket.host, `.s.PGSQL.${socket.port}.lock`)]) {
    const pid = Number(linesOf(lock)[0])
    if (pid && exists(pid) && !isPostmaster(pid, cluster)) rmSync(lock, { force: true })
  }
}

/** Child processes of a dead postmaster, recognised by their working directory. */
export function orphansOf(cluster: string): number[] {
  return allProcesses().filter(pid => worksIn(pid) === cluster && commandOf(pid).startsWith('postgres:'))
}

/** An initdb that outlived its parent, and the PostgreSQL that it runs. */
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

/** False if the process does not exist. */
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

// Fast shutdown, then immediate shutdown (with recovery at the next start), then kill.
const STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 2_000],
]

/** Ends PostgreSQL as gently as possible. */
export async function endPostmaster(pid: number, cluster: string): Promise<void> {
  for (const [name, timeoutMs] of STEPS) {
    if (!isPostmaster(pid, cluster)) return
    signal(pid, name)
    await gone(pid, cluster, timeoutMs)
  }
}

async function gone(pid: number, cluster: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (isPostmaster(pid, cluster) && performance.now() < deadline) await pause(20)
}
