import { readdirSync, readFileSync } from 'node:fs'

// CPU and memory of processes, from /proc; without it (not Linux) the figures are left out.

type Process = { parent: number; cpuMs: number }

const tickMs = 10

function processes(): Map<number, Process> {
  const all = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      // utime, stime and those of children that have exited.
      const ticks = fields[11]! + fields[12]! + fields[13]! + fields[14]!
      all.set(Number(name), { parent: fields[1]!, cpuMs: ticks * tickMs })
    } catch {}
  }
  return all
}

/** The process alone, and everything that it started (its PostgreSQL) separately. */
export function cpuMs(pid: number): { own: number; below: number } {
  try {
    const all = processes()
    const isBelow = (id: number): boolean => {
      const parent = all.get(id)?.parent
      return parent === pid || (parent !== undefined && parent > 1 && isBelow(parent))
    }
    const below = [...all]
      .filter(([id]) => id !== pid && isBelow(id))
      .reduce((sum, [_key, one]) => sum + one.cpuMs, 0)
    return { own: all.get(pid)?.cpuMs ?? 0, below }
  } catch {
    return { own: 0, below: 0 }
  }
}

/** Processes that no longer exist are left out. */
export function cpuOfEach(pids: number[]): Map<number, number> {
  const all = processes()
  return new Map(pids.flatMap(pid => (all.has(pid) ? [[pid, all.get(pid)!.cpuMs]] : [])))
}

/** Per process, to the microsecond: the main thread of the service, and the backends of its PostgreSQL. */
export function busyMs(pid: number): Map<number, number> {
  const children = (parent: number) =>
    read(`/proc/${parent}/task/${parent}/children`).split(' ').filter(Boolean).map(Number)
  const postmasters = children(pid).filter(one => read(`/proc/${one}/comm`).startsWith('postgres'))
  const connections = postmasters
    .flatMap(children)
    .filter(one => read(`/proc/${one}/cmdline`).startsWith('postgres: holdfast'))
  return new Map(
    [pid, ...connections].map(one => [one, Number(read(`/proc/${one}/schedstat`).split(' ')[0]) / 1e6]),
  )
}

/** Connections that closed in between are left out; those that opened count in full. */
export const busySince = (pid: number, before: Map<number, number>) =>
  [...busyMs(pid)].reduce((sum, [one, ms]) => sum + Math.max(0, ms - (before.get(one) ?? 0)), 0)

/** Empty if the process has just exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** The CPU of the process and its PostgreSQL per operation. */
export async function cpuOfOne(pid: number, work: () => Promise<{ count: number }>) {
  const before = cpuMs(pid)
  const { count } = await work()
  const after = cpuMs(pid)
  const per = (part: 'own' | 'below') => (after[part] - before[part]) / count
  return { own: per('own'), below: per('below') }
}

/** Of its main thread and its connections alone, in milliseconds: a checkpoint in one round says nothing. */
export async function cpuOf(pid: number, work: () => Promise<{ count: number }>): Promise<number> {
  const before = busyMs(pid)
  const { count } = await work()
  return busySince(pid, before) / count
}

/** `cpuOfOne` as text. */
export async function cpuPer(pid: number, work: () => Promise<{ count: number }>): Promise<string> {
  const { own, below } = await cpuOfOne(pid, work)
  return `service ${own.toFixed(2)} ms, PostgreSQL ${below.toFixed(2)} ms`
}
