import { setTimeout as pause } from 'node:timers/promises'
import { asIntegrator, crm } from './practice.ts'

// Somebody who follows the event log while everything is killed, and counts at the end what they missed.

type Told = { id: string; kind: string; data: { participation?: { email: string | null } | null } }
type Page = { events: Told[]; next: string; more: boolean }

export type Reading = {
  /** Stops following, once there is nothing more to read. */
  end(): Promise<Told[]>
  /** Stops now: there is nobody any more to read from. */
  stop(): void
}

export function startReader(origin: string): Reading {
  let isEnding = false
  let isStopped = false
  const seen: Told[] = []
  async function follow() {
    for (let after: string | null = null; !isStopped; ) {
      const wasEnding = isEnding
      const page = await readPage(origin, after)
      if (page) {
        seen.push(...page.events)
        after = page.next
        if (wasEnding && page.events.length === 0) return seen
      }
      await pause(20)
    }
    return seen
  }
  const following = follow()
  // Told to whoever waits for the end, if somebody does.
  following.catch(() => {})
  return {
    end() {
      isEnding = true
      return following
    },
    stop() {
      isStopped = true
    },
  }
}

/** Null while the service is away. */
async function readPage(origin: string, after: string | null): Promise<Page | null> {
  const query = new URLSearchParams({ limit: '100', ...(after === null ? {} : { after }) })
  try {
    const response = await fetch(`${origin}/crms/${crm}/events?${query}`, { headers: asIntegrator })
    if (response.status === 410) throw new Error('A cursor was lost.')
    return response.ok ? ((await response.json()) as Page) : null
  } catch (error) {
    if ((error as Error).message === 'A cursor was lost.') throw error
    return null
  }
}

/** The whole log, read in peace. */
export async function readLog(origin: string): Promise<Told[]> {
  const all: Told[] = []
  for (let after: string | null = null; ; ) {
    const page = await readPage(origin, after)
    if (!page) throw new Error('The event log cannot be read.')
    all.push(...page.events)
    after = page.next
    if (!page.more) return all
  }
}

/** What is in the log and was not seen, or was promised and is not in the log; and what was seen more than once. */
export function judgeEvents(seen: Told[], log: Told[], booked: Set<string>) {
  const ids = new Set(seen.map(one => one.id))
  const told = new Set(
    log.flatMap(one => (one.kind === 'participation.booked' ? (one.data.participation?.email ?? []) : [])),
  )
  return {
    eventsMissed:
      log.filter(one => !ids.has(one.id)).length + [...booked].filter(email => !told.has(email)).length,
    eventsTwice: seen.length - ids.size,
  }
}
