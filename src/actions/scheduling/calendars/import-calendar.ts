import { difference } from '../../../calendars/busy-spans.ts'
import { fetchSource } from '../../../calendars/fetch-source.ts'
import { asProblem } from '../../../calendars/problem.ts'
import { readInThread } from '../../../calendars/read-in-thread.ts'
import { openSecrets } from '../../../calendars/request.ts'
import { isConnectionLoss } from '../../../db/base/postgres-errors.ts'
import {
  type DueSource,
  deleteSpans,
  insertSpans,
  type Known,
  readSpans,
  type StoredSpan,
  saveFailure,
  saveSuccess,
  stillLeased,
} from '../../../db/scheduling/calendar-checks.ts'
import { formerHosts } from '../../../db/scheduling/calendar-mirrors.ts'
import { setClosedSince } from '../../../db/scheduling/calendar-sources.ts'
import { bumpResources } from '../../../db/setup/revisions.ts'
import { serviceActor } from '../../../rules/messages/events.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'

const day = 86_400_000
const daysBack = 60
const daysAhead = 400
const everySeconds = 300
/** Seconds until the next look, by the number of consecutive failures. */
const pauses = [60, 300, 900, 3600, 7200, 14_400]

/** Reads one source and stores what it says. Nothing but a complete and valid answer changes what is known. */
export async function importCalendar(service: Service, source: DueSource, worker: string): Promise<void> {
  try {
    const found = await look(service, source)
    await store(service, source, worker, found)
  } catch (error) {
    if (isConnectionLoss(error)) throw error
    const { code, message, retryAfterSeconds } = asProblem(error)
    const pause = pauses[Math.min(source.failures, pauses.length - 1)]!
    const nextSeconds = Math.max(withJitter(pause), retryAfterSeconds ?? 0)
    await saveFailure(service.db, source.id, worker, { problem: code, detail: message, nextSeconds })
    if (code === 'unexpected') throw error
  }
}

/** Goes on by whole days, so that the rows of a long entry begin at the same time of day and stay; at a moment that differs by source. */
const readPeriod = (id: number, now: number): [from: number, to: number] => {
  const phase = (id * 7_919_000) % day
  const today = now - ((now - phase) % day)
  return [today - daysBack * day, today + daysAhead * day]
}

/** Between 80 and 120 percent, so that sources do not all ask at the same moment. */
export const withJitter = (seconds: number) => Math.round(seconds * (0.8 + Math.random() * 0.4))

type Found = { known: Omit<Known, 'hasChanged'>; spans: StoredSpan[] | null }

/** `spans` is null if nothing can have changed. */
async function look(service: Service, source: DueSource): Promise<Found> {
  const { signer, calendarClient } = service
  const { now, timeZone: zone, validators } = source
  const secrets = openSecrets(signer, source.sealed)
  const [from, to] = readPeriod(source.id, now)
  // Repeated entries go on: once a day everything is read again, so that the end of the period follows.
  const isCurrent = source.readUntil === to && source.readZone === zone
  const question = { secrets, validators: isCurrent ? validators : {} }
  const fetched = await fetchSource(calendarClient, { ...source, from, to }, question)
  const current = { digest: source.digest, readUntil: source.readUntil, zone, skipped: source.skipped }
  if (fetched.isUnchanged) return { known: { ...current, validators: fetched.validators }, spans: null }
  const isSame = isCurrent && source.digest !== null && fetched.digest.equals(source.digest)
  if (isSame) return { known: { ...current, validators: fetched.validators }, spans: null }
  const { spans, skipped } = await readInThread(fetched.texts, {
    zone,
    from,
    to,
    tentativeIsBusy: source.tentativeIsBusy,
    withTitles: source.showTitles,
    ownHosts: await ownHosts(service, source.providerId),
  })
  const { digest } = fetched
  return { known: { validators: fetched.validators, digest, readUntil: to, zone, skipped }, spans }
}

/**
 * Rows are written before the Resource is locked, so that bookings wait only for the commit. Until then they see the time as free;
 * a booking that comes first is a conflict, as if it had been made before the import.
 */
async function store(service: Service, source: DueSource, worker: string, { known, spans }: Found) {
  const { id, providerId, resourceId } = source
  const nextSeconds = withJitter(everySeconds)
  await service.db.transaction(async tx => {
    if (!(await stillLeased(tx, id, worker))) return
    const { added, removed } = spans ? difference(await readSpans(tx, id), spans) : { added: [], removed: [] }
    await deleteSpans(tx, source, removed)
    await insertSpans(tx, source, added)
    const isSeen = [...added, ...removed].some(one => one.to > source.now)
    const isOpenAgain = source.closedSince !== null
    if (isSeen || isOpenAgain) await bumpResources(tx, providerId, [resourceId])
    if (isOpenAgain) await setClosedSince(tx, id, false)
    await saveSuccess(tx, id, { ...known, hasChanged: isSeen }, nextSeconds)
    const events = {
      ...(isSeen ? { 'calendar.imported': [id] } : {}),
      ...(source.staleToldAt === null ? {} : { 'calendar.recovered': [id] }),
    }
    if (Object.keys(events).length > 0)
      await recordEvents(tx, service, { actor: serviceActor, provider: { id: providerId }, events })
  })
}

/** In the UIDs of our own entries: the address of the service, and those that it had when it wrote them. */
export const ownHosts = async ({ baseUrl, db }: Service, providerId: number): Promise<string[]> => [
  new URL(baseUrl).hostname,
  ...(await formerHosts(db, providerId)),
]
