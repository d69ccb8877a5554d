import { etagsOf, tokenOf } from '../../../calendars/caldav.ts'
import { findCollection } from '../../../calendars/caldav-entries.ts'
import { digestOfContent } from '../../../calendars/entry-content.ts'
import { asProblem, CalendarProblem } from '../../../calendars/problem.ts'
import { openSecrets } from '../../../calendars/request.ts'
import { isConnectionLoss } from '../../../db/base/postgres-errors.ts'
import {
  type DueMirror,
  deleteEndedMirror,
  listMirrorEntries,
  type MirrorEntry,
  saveMirrored,
  saveMirrorFailure,
  saveSending,
} from '../../../db/scheduling/calendar-mirrors.ts'
import { type FeedEntry, loadFeed } from '../../../db/scheduling/feeds.ts'
import { entryText, shownOf } from '../../../feeds/calendar.ts'
import type { Service } from '../../../service.ts'
import { withJitter } from './import-calendar.ts'
import {
  assertLeased,
  compareEntry,
  type EntryOutcome,
  LeaseLost,
  type Mirroring,
  removeEntry,
  writeEntry,
} from './mirror-entry.ts'

// Compares the bookings of a Resource with what was written into its calendar, and writes the difference. The comparison is the
// outbox: whatever was not written and recorded is found again, so a crash loses nothing. Each entry has an address and a UID of its
// own, and every request names the version that it replaces, so nothing is written twice.

const day = 86_400_000
const daysBack = 60
const daysAhead = 400
const lookSeconds = 300
/** Holds raise the revision too; a Resource in demand is compared this often at most. */
const waitSeconds = 2
/** So that a mirror with a thousand new entries does not keep others waiting. */
const atOnce = 50
const longestMs = 60_000
/** Seconds until the next attempt, by the number of consecutive failures. */
const pauses = [5, 15, 60, 300, 900, 3600]
/** After this time, what cannot be removed stays in the calendar. */
const giveUpMs = 7 * day

export async function mirrorBookings(service: Service, mirror: DueMirror, worker: string): Promise<void> {
  const { db } = service
  const place = { id: mirror.id, providerId: mirror.providerId, worker }
  try {
    await mirrorOnce(service, mirror, place)
  } catch (error) {
    if (error instanceof LeaseLost) return
    if (isConnectionLoss(error)) throw error
    if (mirror.endedAt !== null && mirror.now > mirror.endedAt + giveUpMs) return deleteEndedMirror(db, place)
    const { code, message, retryAfterSeconds } = asProblem(error)
    const pause = withJitter(pauses[Math.min(mirror.failures, pauses.length - 1)]!)
    const nextSeconds = Math.max(pause, retryAfterSeconds ?? 0)
    await saveMirrorFailure(db, place, { problem: code, detail: message, nextSeconds })
    if (code === 'unexpected') throw error
  }
}

type Wanted = { entry: FeedEntry; digest: string }

async function mirrorOnce(service: Service, mirror: DueMirror, place: Mirroring['place']) {
  const { db, calendarClient: client } = service
  const isEnded = mirror.endedAt !== null
  const isLook = mirror.isLookDue && !isEnded
  let known = await listMirrorEntries(db, mirror.id)
  const wanted = isEnded ? new Map<string, Wanted>() : await wantedEntries(service, mirror)
  let { url, token } = mirror
  let left: Left = { isMore: false, isWaiting: false }
  if (isLook || hasWork(differenceOf(mirror, known, wanted))) {
    const account = { client, secrets: openSecrets(service.signer, mirror.sealed) }
    url ??= await findCollection(account, mirror.path)
    const mirroring: Mirroring = { db, place, collection: { account, url }, isEnded }
    const until = performance.now() + longestMs
    if (isLook) {
      token = await lookOutside(mirroring, known, token, until)
      known = await listMirrorEntries(db, mirror.id)
    }
    left = await writeDifference(service, mirror, mirroring, differenceOf(mirror, known, wanted), until)
  }
  const isLeft = left.isMore || left.isWaiting
  if (isEnded && !isLeft) return deleteEndedMirror(db, place)
  await saveMirrored(db, place, {
    url,
    token,
    revision: isLeft ? null : mirror.revision,
    waitSeconds: left.isMore ? 0 : left.isWaiting ? 2 * waitSeconds : waitSeconds,
    lookSeconds: isLook ? withJitter(lookSeconds) : null,
  })
}

const titlesOf = ({ names, language, resourceId }: DueMirror) => ({ names, language, resourceId })

async function wantedEntries({ db }: Service, mirror: DueMirror): Promise<Map<string, Wanted>> {
  const { providerId, resourceId, now } = mirror
  const whose = { providerId, resourceId, userId: null }
  const entries = await loadFeed(db, whose, now - daysBack * day, now + daysAhead * day)
  const titles = titlesOf(mirror)
  return new Map(
    entries.map(entry => {
      const digest = digestOfContent({ ...entry, ...shownOf(titles, entry) })
      return [entry.uuid, { entry, digest }]
    }),
  )
}

type Difference = { removals: MirrorEntry[]; writes: { wanted: Wanted; before: MirrorEntry | undefined }[] }

const hasWork = ({ removals, writes }: Difference) => removals.length + writes.length > 0

function differenceOf(mirror: DueMirror, known: MirrorEntry[], wanted: Map<string, Wanted>): Difference {
  const entries = new Map(known.map(entry => [entry.uuid, entry]))
  return {
    removals: known.filter(entry => !wanted.has(entry.uuid) && isToRemove(mirror, entry)),
    writes: [...wanted.values()]
      .map(one => ({ wanted: one, before: entries.get(one.entry.uuid) }))
      .filter(({ wanted, before }) => isToWrite(wanted, before)),
  }
}

/** What was changed in the calendar stays until staff decide. */
const isToWrite = ({ digest }: Wanted, before: MirrorEntry | undefined) =>
  !before || (before.notice === null && (before.written !== digest || before.sent.length > 0))

/** Entries of long ago stay, unless their person was erased. */
function isToRemove({ endedAt, now }: DueMirror, { notice, end, written }: MirrorEntry): boolean {
  if (endedAt !== null) return true
  return notice !== 'changed' && (end > now - daysBack * day || written === null)
}

/** Finds what was changed or deleted in the calendar. Returns its token; null if it was not compared in full. */
async function lookOutside(
  mirroring: Mirroring,
  known: MirrorEntry[],
  lastToken: string | null,
  until: number,
): Promise<string | null> {
  const { account, url } = mirroring.collection
  const token = await tokenOf(account, url)
  if (token !== null && token === lastToken) return token
  // An entry whose answer was lost is compared when it is sent again.
  const settled = known.filter(entry => entry.sent.length === 0)
  for (let at = 0; at < settled.length; at += 100) {
    const some = settled.slice(at, at + 100)
    const etags = await etagsOf(
      account,
      url,
      some.map(({ uuid }) => `${uuid}.ics`),
    )
    for (const entry of some) {
      if (performance.now() > until) return null
      if ((etags.get(`${entry.uuid}.ics`) ?? null) !== entry.etag) await compareEntry(mirroring, entry)
    }
  }
  return token
}

/** What is left: more than fits into one run, or entries that another mirror must remove first. */
type Left = { isMore: boolean; isWaiting: boolean }

async function writeDifference(
  { baseUrl }: Service,
  mirror: DueMirror,
  mirroring: Mirroring,
  { removals, writes }: Difference,
  until: number,
): Promise<Left> {
  const host = new URL(baseUrl).hostname
  const versions = writes.slice(0, atOnce).map(({ wanted: { entry, digest }, before }) => {
    const uid = before?.uid ?? `${entry.uuid}@${host}`
    return { ...entry, uid, digest, before, text: entryText(titlesOf(mirror), entry, uid) }
  })
  const sending = versions.map(({ uuid, uid, start, end, digest }) => ({ uuid, uid, start, end, digest }))
  if (sending.length > 0) assertLeased(await saveSending(mirroring.db, mirroring.place, sending))
  const steps = [
    ...removals.slice(0, atOnce).map(entry => () => removeEntry(mirroring, entry)),
    ...versions.map(version => () => writeEntry(mirroring, version, version.before)),
  ]
  const outcomes: EntryOutcome[] = []
  for (const step of steps) {
    if (performance.now() > until) break
    outcomes.push(await step())
  }
  if (outcomes.includes('refused')) throw new CalendarProblem('refused')
  return { isMore: outcomes.length < removals.length + writes.length, isWaiting: outcomes.includes('later') }
}
