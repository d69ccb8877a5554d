import { setTimeout as pause } from 'node:timers/promises'
import { asIntegrator, crm } from './seed.ts'

// Follows the event log while everything is killed, to count missed events at the end.

type LoggedEvent = { id: string; kind: string; data: { participation?: { email: string | null } | null } }
type Page = { events: LoggedEvent[]; next: string; more: boolean }

type EventsVerdict = { eventsMissed: number; eventsTwice: number }

export type Reading = {
  /**
   * Compares with the log once both have everything that was promised: events wait for older transactions. What is still
   * missing after a while was missed.
   */
  judge(booked: Set<string>): Promise<EventsVerdict & { read: number }>
  /** Stops, also while the service is gone. */
  stop(): Promise<void>
}

const patienceMs = 60_000

export function startReader(origin: string): Reading {
  let isStopped = false
  const seen: LoggedEvent[] = []
  async function follow() {
    for (let after: string | null = null; !isStopped; ) {
      const page = await readPage(origin, after)
      if (page) {
        seen.push(...page.events)
        after = page.next
      }
      await pause(20)
    }
  }
  const following = follow()
  // Reported by judge(), if it is called.
  following.catch(() => {})
  async function compare(booked: Set<string>) {
    for (const deadline = Date.now() + patienceMs; ; await pause(500)) {
      const log = await readLog(origin)
      const verdict = { ...judgeEvents(seen, log, booked), read: seen.length }
      if (verdict.eventsMissed === 0 || Date.now() > deadline) return verdict
    }
  }
  return {
    async judge(booked) {
      const failure = following.then(() => new Promise<never>(() => {}))
      const verdict = await Promise.race([compare(booked), failure])
      isStopped = true
      return verdict
    },
    stop() {
      isStopped = true
      return following.catch(() => {})
    },
  }
}

/** Null while the service is unavailable. */
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

/** Reads the whole log after the test. */
async function readLog(origin: string): Promise<LoggedEvent[]> {
  const all: LoggedEvent[] = []
  for (let after: string | null = null; ; ) {
    const page = await readPage(origin, after)
    if (!page) throw new Error('The event log cannot be read.')
    all.push(...page.events)
    after = page.next
    if (!page.more) return all
  }
}

/**
 * Counts events that are in the log but were not seen, or were promised but are not in the log, and events
 * seen more than once.
 */
export function judgeEvents(seen: LoggedEvent[], log: LoggedEvent[], booked: Set<string>): EventsVerdict {
  const ids = new Set(seen.map(one => one.id))
  const logged = new Set(
    log.flatMap(one => (one.kind === 'participation.booked' ? (one.data.participation?.email ?? []) : [])),
  )
  return {
    eventsMissed:
      log.filter(one => !ids.has(one.id)).length + [...booked].filter(email => !logged.has(email)).length,
    eventsTwice: seen.length - ids.size,
  }
}
