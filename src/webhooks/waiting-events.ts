import type { LogPosition } from '../db/events.ts'
import type { WaitingEvent } from '../db/webhooks.ts'

// Events that a receiver did not accept, and later events about the same record: each record has its own order,
// and other records are not held up.

/** Beyond this, no new events are sent until some of them are accepted. */
export const maxWaiting = 1000

/** Seconds until the next attempt, by the number of attempts. */
const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Seconds until the next probe of a receiver that accepts nothing: one that is back is noticed within a minute. */
const probePauses = [5, 10, 20, 40, 54]

const pick = (list: number[], count: number) => list[Math.min(count, list.length - 1)]!

/** Receivers of many webhooks are not called at the same moment. */
const withJitter = (seconds: number) => seconds * (1 + Math.random() / 10)

export const pauseAfter = (attempts: number) => withJitter(pick(pauses, attempts - 1))
export const probePause = (failures: number) => withJitter(pick(probePauses, failures))

/** Those with no earlier event about the same record, in log order. */
export function firstInLine(waiting: WaitingEvent[]): WaitingEvent[] {
  const taken = new Set<string>()
  return waiting.filter(({ keys }) => {
    const isFirst = keys.every(key => !taken.has(key))
    for (const key of keys) taken.add(key)
    return isFirst
  })
}

/** When the next of them is due; null if none waits. */
export function nextDue(waiting: WaitingEvent[]): number | null {
  const dues = firstInLine(waiting).map(one => one.due ?? 0)
  return dues.length > 0 ? Math.min(...dues) : null
}

export const isBefore = (a: LogPosition, b: LogPosition) =>
  a.era !== b.era ? a.era < b.era : a.xid !== b.xid ? BigInt(a.xid) < BigInt(b.xid) : a.id < b.id

export const isSamePlace = (a: LogPosition, b: LogPosition) =>
  a.id === b.id && a.xid === b.xid && a.era === b.era

export const inLogOrder = (waiting: WaitingEvent[]) =>
  waiting.toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
