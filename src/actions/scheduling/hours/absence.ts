import { lockByIds } from '../../../db/base/ledger.ts'
import { explainedPeriod, loadWindows } from '../../../db/booking/windows.ts'
import { findAppointment } from '../../../db/scheduling/appointments.ts'
import { resourcesOffering } from '../../../db/scheduling/calendar.ts'
import { readClock } from '../../../db/scheduling/calendar-sources.ts'
import { type DiaryEntry, loadDiary } from '../../../db/scheduling/diary.ts'
import { findProductByUuid } from '../../../db/setup/products.ts'
import { lockProvider, type ProviderRow } from '../../../db/setup/providers.ts'
import { findResources, type ResourceRow } from '../../../db/setup/resources.ts'
import { alreadyBegun, invalidField, notAfterStart, notFound, Refusal } from '../../../errors.ts'
import { spread, standInsFor } from '../../../rules/offers/stand-ins.ts'
import { parseDateOrInstant, toUtcText } from '../../../rules/time/time.ts'
import { startOfNextLocalDay } from '../../../rules/time/zones.ts'
import type { Service } from '../../../service.ts'
import { cancelAppointment } from '../appointments/cancel-appointments.ts'
import { type MoveContext, moveAppointment, refuseUnlessAt } from '../appointments/move-appointment.ts'
import { createClosures } from './closures.ts'

// A Resource is absent, such as a therapist who is ill: its Appointments go to colleagues, to other times, are
// cancelled or stay.

type Place = { id: number; uuid: string; name: string }
type Period = { from: number; to: number }

export type AbsenceLine = {
  entry: DiaryEntry
  /** Who could take it over at the same time, each seen for itself. */
  standIns: Place[]
  /** Who would, if all lines are confirmed as they are. */
  proposed: Place | null
}

const maxDays = 31

/** Without texts: from now to the end of the day. */
export async function readAbsence(
  { db }: Service,
  { timeZone }: ProviderRow,
  texts: { from?: string | null; to?: string | null },
): Promise<Period> {
  const now = await readClock(db)
  const read = (field: 'from' | 'to') => {
    const moment = texts[field] ? parseDateOrInstant(texts[field], timeZone) : null
    if (texts[field] && moment === null) throw invalidField(field, 'date-or-time')
    return moment
  }
  // Seconds would only be in the way of readers.
  const from = read('from') ?? now - (now % 60_000)
  const to = read('to') ?? startOfNextLocalDay(from, timeZone)
  if (to <= from) throw notAfterStart('to', 'from')
  if (to - from > maxDays * 86_400_000) throw invalidField('to', 'max-days:absence', { limit: maxDays })
  return { from, to }
}

/**
 * What has not begun, spread over all colleagues who are free and offer it. Nothing is reserved: the
 * confirmation checks again under the locks. `only`: the Resources that the caller may book.
 */
export async function planAbsence(
  { db }: Service,
  { id: providerId }: ProviderRow,
  resource: ResourceRow,
  { from, to }: Period,
  only: string[] | null,
): Promise<AbsenceLine[]> {
  const now = await readClock(db)
  const entries = (await loadDiary(db, providerId, from, to, [resource.id])).filter(
    one => one.start >= from && one.start > now && isToCome(one),
  )
  const colleagues = await colleaguesFor(db, providerId, entries)
  const places = colleagues.filter(one => one.id !== resource.id && (!only || only.includes(one.uuid)))
  const wanted = places.map(({ id }) => ({ resourceId: id, channelKey: 'RESOURCE_PUBLIC' as const }))
  const windows = places.length > 0 ? await loadWindows(db, wanted, explainedPeriod(from, to)) : []
  const loaded = windows.map(({ resource: { uuid }, window }) => ({ uuid, window }))
  const orphans = entries.map(({ uuid, productUuid, start, end, blockedFrom, blockedTo }) => ({
    uuid,
    productUuid,
    start,
    end,
    blocked: { from: blockedFrom, to: blockedTo },
  }))
  const standIns = new Map(orphans.map(one => [one.uuid, standInsFor(one, loaded)]))
  const proposed = spread(orphans, standIns)
  const placeOf = (uuid: string | undefined) => places.find(one => one.uuid === uuid) ?? null
  return entries.map(entry => ({
    entry,
    standIns: standIns.get(entry.uuid)!.map(uuid => placeOf(uuid)!),
    proposed: placeOf(proposed.get(entry.uuid)),
  }))
}

/** No customer has arrived, and it is more than a hold. */
function isToCome({ state, people, origin }: DiaryEntry): boolean {
  const isBooked = people.some(one => one.state === 'BOOKED' || one.state === 'REQUESTED')
  return (
    state === 'ACTIVE' &&
    (isBooked || origin === 'provider') &&
    people.every(one => one.attendance !== 'ATTENDED')
  )
}

async function colleaguesFor(db: Service['db'], providerId: number, entries: DiaryEntry[]): Promise<Place[]> {
  const found = new Map<number, Place>()
  for (const uuid of new Set(entries.map(one => one.productUuid))) {
    const product = (await findProductByUuid(db, uuid))!
    for (const place of await resourcesOffering(db, providerId, product.id)) found.set(place.id, place)
  }
  return [...found.values()].sort((one, other) => one.id - other.id)
}

/** What staff chose for one Appointment, and where they saw it. */
type ChosenLine = {
  appointmentReference: string
  seen: { start: number; end: number }
  action: (typeof lineActions)[number]
  /** Where a move goes. */
  to: { start: string; end: string; resourceReference: string }
}

export const lineActions = ['move', 'cancel', 'leave'] as const

export type LineResult = {
  result: 'moved' | 'cancelled' | 'left' | 'failed'
  /** Why it failed. */
  refusal: Refusal | null
}

const done = (result: 'moved' | 'cancelled' | 'left'): LineResult => ({ result, refusal: null })

type Confirmation = {
  lines: ChosenLine[]
  message: string | null
  sendMails: boolean
  /** Takes the time of the absent Resource off offer. */
  block: (Period & { reason: string }) | null
}

/**
 * Each line is a transaction of its own: what is not possible any more says why, and the others stand. The
 * block comes first, or the times that become free would be offered to the waiting list.
 */
export async function settleAbsence(
  context: MoveContext,
  resource: ResourceRow,
  { lines, block, ...how }: Confirmation,
): Promise<{ results: LineResult[]; blockUuid: string | null }> {
  const { service } = context
  await lockAll(context, resource, lines)
  const inputs = block ? [{ from: toUtcText(block.from), to: toUtcText(block.to), reason: block.reason }] : []
  const { closures } = block
    ? await createClosures(context, { inputs, resources: [resource.uuid], isBlock: true })
    : { closures: [] }
  const now = await readClock(service.db)
  const results: LineResult[] = []
  for (const line of lines) results.push(await settleLine(context, resource, line, { ...how, now }))
  return { results, blockUuid: closures[0]?.uuid ?? null }
}

/** With an Idempotency-Key all lines share a transaction: locks that are taken in one order cannot deadlock. */
async function lockAll({ service, provider }: MoveContext, { id }: ResourceRow, lines: ChosenLine[]) {
  const references = lines.flatMap(({ action, to }) => (action === 'move' ? [to.resourceReference] : []))
  const targets = await findResources(service.db, provider.id, references)
  await service.db.transaction(async tx => {
    await lockProvider(tx, provider.id)
    await lockByIds(tx, [id, ...targets.map(one => one.id)])
  })
}

async function settleLine(
  context: MoveContext,
  resource: ResourceRow,
  line: ChosenLine,
  { now, message, sendMails }: { now: number; message: string | null; sendMails: boolean },
): Promise<LineResult> {
  const { service, provider } = context
  const { appointmentReference: reference, seen } = line
  if (line.action === 'leave') return done('left')
  const shown = { resourceId: resource.id, startAt: seen.start, endAt: seen.end }
  try {
    const found = await findAppointment(service.db, provider.id, reference)
    if (!found || found.archived) throw notFound('Appointment', reference, 'appointmentReference')
    if (found.startAt <= now) throw alreadyBegun()
    if (line.action === 'cancel') {
      const check = (current: typeof found) => refuseUnlessAt(shown, current)
      await cancelAppointment(context, reference, message, sendMails, check)
      return done('cancelled')
    }
    await moveAppointment(
      context,
      reference,
      { ...line.to, message },
      { ignoreConflicts: false, sendMails },
      shown,
    )
    return done('moved')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { result: 'failed', refusal: error }
  }
}
