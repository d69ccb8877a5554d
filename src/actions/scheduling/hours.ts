import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { lockById } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import {
  type DueHours,
  findHours,
  findMade,
  forgetEmptyRests,
  type Hours,
  insertOpenings,
  lockDueHours,
  noteMadeUntil,
  removeRulesBut,
  resourcesWithHours,
  saveRules,
  writePlan,
} from '../../db/scheduling/hours.ts'
import { lockProvider, type ProviderRow } from '../../db/setup/providers.ts'
import type { ResourceRow } from '../../db/setup/resources.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import {
  addDays,
  type OpeningRule,
  openingsOf,
  planOpenings,
  refuseOverlap,
} from '../../rules/offers/hours.ts'
import { wallOfInstant } from '../../rules/time/zones.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { ifChanged } from '../if-changed.ts'

export type HoursWish = { weeks: number; rules: (Omit<OpeningRule, 'uuid'> & { uuid?: string | null })[] }

/** Replaces the opening hours of a Resource. Its Timeslots follow at once; whoever is booked keeps their time. */
export async function changeHours(
  service: Service,
  actor: Actor,
  { id: providerId }: ProviderRow,
  resource: ResourceRow,
  wish: HoursWish,
  check: (current: Hours | null) => void = () => {},
): Promise<Hours> {
  return ifChanged(service.db, async (tx, same) => {
    // Whoever gives it another zone goes over the hours that are there: in one order with these.
    const provider = await lockProvider(tx, providerId)
    const { now, isDeleted } = await lockById(tx, resource.id)
    if (isDeleted) throw notFound('Resource', resource.uuid)
    const before = await findHours(tx, resource.id)
    check(before)
    const rules = named(wish.rules, before?.rules ?? [])
    refuseOverlap(rules)
    const today = dayAt(now, provider.timeZone)
    const hours = { weeks: wish.weeks, madeUntil: addDays(today, wish.weeks * 7), rules }
    await saveRules(tx, resource, hours)
    const isAsPlanned = await makeTimeslots(tx, provider, resource.id, hours, now)
    if (isAsPlanned && before?.weeks === hours.weeks && isDeepStrictEqual(before.rules, rules)) same(before)
    await removeRulesBut(
      tx,
      resource.id,
      rules.map(rule => rule.uuid),
    )
    await happened(tx, service, {
      actor,
      provider,
      news: { 'settings.changed': [{ subject: resource.id, detail: 'hours' }] },
    })
    return hours
  })
}

/**
 * A uuid that is not one of this Resource's rules is nobody's, and whoever sends none means the rule that says the same: else it
 * is a new one.
 */
function named(wishes: HoursWish['rules'], known: OpeningRule[]): OpeningRule[] {
  const wanted = new Set(wishes.map(rule => rule.uuid))
  const left = known.filter(rule => !wanted.has(rule.uuid))
  return wishes.map(rule => {
    if (known.some(one => one.uuid === rule.uuid)) return { ...rule, uuid: rule.uuid! }
    const at = left.findIndex(one => isDeepStrictEqual({ ...one, uuid: null }, { ...rule, uuid: null }))
    const [same] = at < 0 ? [] : left.splice(at, 1)
    return { ...rule, uuid: same?.uuid ?? randomUUID() }
  })
}

/** Under the lock: brings the Timeslots of the coming weeks to what the rules say. True where they are as they should be. */
async function makeTimeslots(
  tx: Queryable,
  { id: providerId, timeZone }: Pick<ProviderRow, 'id' | 'timeZone'>,
  resourceId: number,
  { rules, madeUntil }: Hours,
  now: number,
) {
  // Yesterday's may run past midnight.
  const first = addDays(dayAt(now, timeZone), -1)
  const wanted = openingsOf(rules, timeZone, first, madeUntil).filter(opening => opening.end > now)
  const plan = planOpenings(await findMade(tx, resourceId, first), wanted)
  await writePlan(tx, { providerId, resourceId }, plan)
  return Object.values(plan).every(part => part.length === 0)
}

/** The Provider moved to another zone: eight o'clock is another moment now. */
export async function followTimeZone(tx: Queryable, provider: ProviderRow) {
  for (const resourceId of await resourcesWithHours(tx, provider.id)) {
    const { now, isDeleted } = await lockById(tx, resourceId)
    const hours = isDeleted ? null : await findHours(tx, resourceId)
    if (hours) await makeTimeslots(tx, provider, resourceId, hours, now)
  }
}

/** A few milliseconds each: nobody who books waits longer than that. */
const batch = 5

/** The daily job: the day that came into reach gets its Timeslots. In small batches, so that nobody who books waits. */
export async function extendHours({ db }: Pick<Service, 'db'>) {
  let after = 0
  for (;;) {
    const last = await db.transaction(async tx => {
      const { due, last } = await lockDueHours(tx, after, batch)
      if (due.length > 0) await extend(tx, due)
      return last
    })
    if (last === null) break
    after = last
  }
  await forgetEmptyRests(db)
}

async function extend(tx: Queryable, due: DueHours[]) {
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
  await noteMadeUntil(tx, made)
}

const dayAt = (instant: number, zone: string) =>
  new Date(wallOfInstant(instant, zone)).toISOString().slice(0, 10)
