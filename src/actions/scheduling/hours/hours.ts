import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import { lockById } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { readClock } from '../../../db/scheduling/calendar-sources.ts'
import { type DiaryEntry, loadDiary } from '../../../db/scheduling/diary.ts'
import {
  type DueHours,
  deleteEmptyRemnants,
  findHours,
  findHoursOf,
  findOpenings,
  type Hours,
  hoursOfFormerZone,
  insertOpenings,
  lockDueHours,
  removeRulesBut,
  saveMadeUntil,
  saveRules,
  takeZoneChange,
  writePlan,
} from '../../../db/scheduling/hours.ts'
import { lockProvider, type ProviderRow } from '../../../db/setup/providers.ts'
import type { ResourceRow } from '../../../db/setup/resources.ts'
import { notFound } from '../../../errors.ts'
import { serviceActor } from '../../../rules/messages/events.ts'
import {
  addDays,
  isIrregular,
  isWithin,
  type OpeningRule,
  openingsOf,
  planOpenings,
  refuseOverlap,
} from '../../../rules/offers/hours.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import { wallOfInstant } from '../../../rules/time/zones.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'
import { rollbackIfUnchanged } from '../../rollback-if-unchanged.ts'
import { isBooked } from './closures.ts'

/** Without `weekOf`, a known rule keeps its weeks. */
export type RuleInput = Omit<OpeningRule, 'uuid' | 'weekOf'> & {
  uuid?: string | null
  weekOf?: string | null | undefined
}

/** Without `exceptions`, the hours of single days stay as they are. */
export type HoursInput = { weeks: number; rules: RuleInput[]; exceptions?: RuleInput[] | undefined }

export type HoursChange = {
  resource: Pick<ResourceRow, 'id' | 'uuid' | 'providerId'>
  input: HoursInput
  check?: (current: Hours | null) => void
}

/** Replaces the opening hours of a Resource and updates its Timeslots; existing bookings keep their time. */
export async function changeHours(
  context: ProviderContext,
  resource: ResourceRow,
  input: HoursInput,
  check: (current: Hours | null) => void = () => {},
): Promise<Hours> {
  const [hours] = await changeAllHours(context, [{ resource, input, check }])
  return hours!
}

/** The same for several Resources: all or none. */
export async function changeAllHours(
  { service, actor, provider: { id: providerId } }: ProviderContext,
  changes: HoursChange[],
): Promise<Hours[]> {
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    // A change of time zone marks all hours of the Provider, so both take this lock first.
    const provider = await lockProvider(tx, providerId)
    const saved = new Map<HoursChange, { hours: Hours; isChanged: boolean; span: Span | null }>()
    for (const change of changes.toSorted((one, other) => one.resource.id - other.resource.id))
      saved.set(change, await changeOne(tx, provider, change))
    const all = changes.map(change => saved.get(change)!)
    if (all.every(one => !one.isChanged)) same(all.map(one => one.hours))
    await recordEvents(tx, service, {
      actor,
      provider,
      events: {
        'settings.changed': changes
          .filter(change => saved.get(change)!.isChanged)
          .map(change => ({
            subject: change.resource.id,
            detail: 'hours',
            ...extraOf(saved.get(change)!.span),
          })),
      },
    })
    return all.map(one => one.hours)
  })
}

async function changeOne(tx: Queryable, provider: ProviderRow, { resource, input, check }: HoursChange) {
  const { now, isDeleted } = await lockById(tx, resource.id)
  if (isDeleted) throw notFound('Resource', resource.uuid)
  const before = await findHours(tx, resource.id)
  check?.(before)
  const rules = rulesAfter(input, before)
  const today = dayAt(now, provider.timeZone)
  const hours = { weeks: input.weeks, madeUntil: addDays(today, input.weeks * 7), rules }
  await saveRules(tx, resource, hours)
  const span = await makeTimeslots(tx, provider, resource.id, hours, now)
  if (!span && before?.weeks === hours.weeks && isDeepStrictEqual(before.rules, rules))
    return { hours: before, isChanged: false, span }
  const kept = rules.map(rule => rule.uuid)
  await removeRulesBut(tx, resource.id, kept)
  return { hours, isChanged: true, span }
}

/** The rules that a change leads to; throws if some of them overlap. */
function rulesAfter({ rules: sent, exceptions }: HoursInput, before: Hours | null): OpeningRule[] {
  const known = before?.rules ?? []
  const days = exceptions ?? known.filter(rule => rule.onlyOn !== null)
  const inOrder = days.toSorted(
    (one, other) => one.onlyOn!.localeCompare(other.onlyOn!) || one.from - other.from,
  )
  const rules = withUuids([...sent, ...inOrder], known)
  refuseOverlap(rules)
  return rules
}

/** Coming bookings that are inside the hours now and would not be after the changes. */
export async function findStranded(
  { db }: Service,
  { id, timeZone }: ProviderRow,
  changes: HoursChange[],
): Promise<DiaryEntry[]> {
  const resourceIds = changes.map(({ resource }) => resource.id)
  const [now, before] = await Promise.all([readClock(db), findHoursOf(db, resourceIds)])
  const rules = new Map(
    changes.map(({ resource, input }) => {
      const hours = before.get(resource.id) ?? null
      return [resource.uuid, { before: hours?.rules ?? [], after: rulesAfter(input, hours) }]
    }),
  )
  const coming = await loadDiary(db, id, now, now + previewMs, resourceIds)
  return coming.filter(isBooked).filter(entry => {
    const { before, after } = rules.get(entry.resourceUuid)!
    return entry.start >= now && isWithin(before, timeZone, entry) && !isWithin(after, timeZone, entry)
  })
}

const previewMs = 400 * 86_400_000

/**
 * Rules are matched by uuid. A rule without a known uuid matches an equal rule that exists, or becomes a new
 * one.
 */
function withUuids(inputs: RuleInput[], known: OpeningRule[]): OpeningRule[] {
  const wanted = new Set(inputs.map(rule => rule.uuid))
  const left = known.filter(rule => !wanted.has(rule.uuid))
  return inputs.map(input => {
    const former = known.find(one => one.uuid === input.uuid)
    const rule = { ...input, weekOf: input.weekOf === undefined ? (former?.weekOf ?? null) : input.weekOf }
    if (former) return { ...rule, uuid: former.uuid }
    const at = left.findIndex(one => isDeepStrictEqual({ ...one, uuid: null }, { ...rule, uuid: null }))
    const [same] = at < 0 ? [] : left.splice(at, 1)
    return { ...rule, uuid: same?.uuid ?? randomUUID() }
  })
}

/** In which Timeslots may have been created, changed or removed. */
type Span = { start: number; end: number }

const spanOf = (times: Span[]): Span => ({
  start: Math.min(...times.map(one => one.start)),
  end: Math.max(...times.map(one => one.end)),
})

/** One event stands for all Timeslots in the span, because there may be hundreds. */
const extraOf = (span: Span | null) =>
  span && { extra: { from: toUtcText(span.start), to: toUtcText(span.end) } }

type Extended = Span & { providerId: number; resourceId: number }

/** One event for each Resource. */
const recordExtended = (tx: Queryable, service: Service, extended: Extended[]) =>
  recordEvents(
    tx,
    service,
    [...Map.groupBy(extended, one => one.resourceId)].map(([subject, some]) => ({
      actor: serviceActor,
      provider: { id: some[0]!.providerId },
      events: { 'resource.extended': [{ subject, ...extraOf(spanOf(some)) }] },
    })),
  )

/**
 * Runs under the lock: makes the Timeslots of the coming weeks match the rules. Null if nothing had to
 * change.
 */
async function makeTimeslots(
  tx: Queryable,
  { id: providerId, timeZone }: Pick<ProviderRow, 'id' | 'timeZone'>,
  resourceId: number,
  { rules, madeUntil }: Hours,
  now: number,
): Promise<Span | null> {
  // Yesterday's Timeslots may run past midnight.
  const first = addDays(dayAt(now, timeZone), -1)
  const wanted = openingsOf(rules, timeZone, first, madeUntil).filter(opening => opening.end > now)
  const made = await findOpenings(tx, resourceId, first)
  const plan = planOpenings(made, wanted)
  await writePlan(tx, { providerId, resourceId }, plan)
  const isAsPlanned = Object.values(plan).every(part => part.length === 0)
  return isAsPlanned ? null : spanOf([...made, ...wanted])
}

/** A few milliseconds of locks per batch, so bookings wait no longer than that. */
const batch = 5

/**
 * In another time zone, eight o'clock is another instant. Rebuilds the Timeslots of one Resource after the
 * other, so that bookings wait for one at most, for as long as allowed; the job of each minute continues.
 */
export async function rebuildHoursForZone(service: Service, providerId: number | null, allowedMs: number) {
  const { db } = service
  const until = performance.now() + allowedMs
  for (let found = batch; found === batch && performance.now() < until; ) {
    const resourceIds = await hoursOfFormerZone(db, providerId, batch)
    for (const resourceId of resourceIds) await db.transaction(tx => rebuildHours(tx, service, resourceId))
    found = resourceIds.length
  }
}

async function rebuildHours(tx: Queryable, service: Service, resourceId: number) {
  const { now, isDeleted } = await lockById(tx, resourceId)
  const provider = await takeZoneChange(tx, resourceId)
  const hours = provider && !isDeleted ? await findHours(tx, resourceId) : null
  const span = hours && (await makeTimeslots(tx, provider!, resourceId, hours, now))
  if (span) await recordExtended(tx, service, [{ ...span, resourceId, providerId: provider!.id }])
}

/**
 * The daily job: creates the Timeslots of the day that came into reach, in small batches to keep bookings
 * fast.
 */
export async function extendHours(service: Service) {
  const { db } = service
  let after = 0
  for (;;) {
    const last = await db.transaction(async tx => {
      const { due, last } = await lockDueHours(tx, after, batch)
      if (due.length > 0) await extend(tx, service, due)
      return last
    })
    if (last === null) break
    after = last
  }
  await deleteRemnants(service)
}

/** What opening hours kept for bookings that no longer exist. */
async function deleteRemnants(service: Service) {
  await service.db.transaction(async tx => {
    const deleted = await deleteEmptyRemnants(tx)
    await recordEvents(
      tx,
      service,
      deleted.map(({ providerId, id, reference, uuid }) => ({
        actor: serviceActor,
        provider: { id: providerId },
        events: { 'timeslot.deleted': [{ subject: id, detail: reference, extra: { uuid } }] },
      })),
    )
  })
}

async function extend(tx: Queryable, service: Service, due: DueHours[]) {
  const extended: Extended[] = []
  const irregular = due.filter(({ rules }) => rules.some(isIrregular))
  for (const { providerId, resourceId, timeZone, weeks, rules, now } of irregular) {
    const madeUntil = addDays(dayAt(now, timeZone), weeks * 7)
    const hours = { weeks, madeUntil, rules }
    const span = await makeTimeslots(tx, { id: providerId, timeZone }, resourceId, hours, now)
    if (span) extended.push({ ...span, providerId, resourceId })
  }
  const made = due.map(({ resourceId, weeks, timeZone, now }) => ({
    resourceId,
    until: addDays(dayAt(now, timeZone), weeks * 7),
  }))
  const openings = due.flatMap(({ rules, timeZone, madeUntil, providerId, resourceId }, index) =>
    openingsOf(rules, timeZone, addDays(madeUntil, 1), made[index]!.until).map(opening => ({
      ...opening,
      providerId,
      resourceId,
    })),
  )
  await insertOpenings(tx, openings)
  await saveMadeUntil(tx, made)
  await recordExtended(tx, service, [...extended, ...openings])
}

const dayAt = (instant: number, zone: string) =>
  new Date(wallOfInstant(instant, zone)).toISOString().slice(0, 10)
