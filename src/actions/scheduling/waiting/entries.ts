import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import { lockById, markChangedHolds } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { RestartTransaction, violates } from '../../../db/base/postgres-errors.ts'
import { releaseHolds } from '../../../db/booking/holds.ts'
import { lockCustomerForUse } from '../../../db/scheduling/customers.ts'
import { findParticipation } from '../../../db/scheduling/participations.ts'
import {
  confirmEntry as confirm,
  countOpen,
  deleteEntry,
  type EndReason,
  type EntryRecord,
  entriesById,
  entryWithWish,
  findEntry,
  insertEntry,
  lockEntry,
  type NewEntry,
  setEntryState,
  updateEntry,
} from '../../../db/scheduling/waiting-entries.ts'
import {
  endOffer,
  findLiveOffer,
  type LiveOffer,
  returnToLine,
  searchAgainFor,
} from '../../../db/scheduling/waiting-line.ts'
import { findProduct } from '../../../db/setup/products.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { findResource } from '../../../db/setup/resources.ts'
import { invalidField, missingField, notAfterStart, notFound, Refusal } from '../../../errors.ts'
import { sha256 } from '../../../lib/hash.ts'
import { allWeekdays, type ClockWish, minuteOf, type Wish, weekdayBits } from '../../../rules/waiting/wish.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'
import { offerFreedTimes } from './offer-freed.ts'

/** What a person waits for, as it is sent. Weekdays: 1 is Monday. */
export type WishInput = {
  from: string
  to: string
  weekdays?: number[] | null
  timeFrom?: string | null
  timeTo?: string | null
}

/** One person may wait for so many things at a Provider. */
const maxOpen = 10
const longestDays = 366

/** Checks the period and turns it into dates, weekdays and minutes. */
export function readWish({ from, to, weekdays, timeFrom, timeTo }: WishInput) {
  if (!isDate(from)) throw invalidField('from', 'date', { example: '2027-03-04' })
  if (!isDate(to)) throw invalidField('to', 'date', { example: '2027-03-04' })
  if (to < from) throw invalidField('to', 'not-before', { start: 'from' })
  if (Date.parse(to) - Date.parse(from) > longestDays * 86_400_000)
    throw invalidField('to', 'max-days:period', { limit: longestDays })
  return { fromDate: from, toDate: to, ...readClock({ weekdays, timeFrom, timeTo: timeTo || '24:00' }) }
}

/** The weekdays and hours of a wish; without `timeTo`, an appointment may last past midnight. */
export function readClock({ weekdays, timeFrom, timeTo }: Omit<WishInput, 'from' | 'to'>): ClockWish {
  const fromMinute = timeFrom ? minuteOf(timeFrom) : 0
  const toMinute = timeTo ? minuteOf(timeTo) : Number.POSITIVE_INFINITY
  if (fromMinute === null) throw invalidField('timeFrom', 'time', { example: '08:00' })
  if (toMinute === null) throw invalidField('timeTo', 'time', { example: '12:00' })
  if (toMinute <= fromMinute) throw notAfterStart('timeTo', 'timeFrom')
  const bits = weekdays && weekdays.length > 0 ? weekdayBits(weekdays) : allWeekdays
  return { weekdays: bits, fromMinute, toMinute }
}

function isDate(text: string) {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Equal for equal wishes: one entry for each person and wish. */
export const wishDigest = (wish: Wish, replaces: number | null): string =>
  sha256(
    JSON.stringify([
      wish.productId,
      wish.resourceIds?.toSorted((a, b) => a - b) ?? null,
      wish.fromDate,
      wish.toDate,
      wish.weekdays,
      wish.fromMinute,
      wish.toMinute,
      replaces,
    ]),
  )
    .toString('base64url')
    .slice(0, 22)

type StaffInput = WishInput & {
  customerReference: string
  productReference: string
  resourceReferences?: string[] | null
  participationReference?: string | null
  note?: string | null
  places?: number | null
  priority?: number | null
  priorityReason?: string | null
}

/** Staff and CRMs add people directly: they have asked in person. Repeating the wish returns the entry. */
export async function addEntry(
  { service, actor, provider }: ProviderContext,
  input: StaffInput,
): Promise<{ entry: EntryRecord; created: boolean }> {
  const time = readWish(input)
  const work = async (tx: Queryable) => {
    const customer = await lockCustomerForUse(tx, provider.id, input.customerReference)
    if (!customer) throw notFound('Customer', input.customerReference, 'customerReference')
    if (!customer.email) throw missingField('customerReference', 'customer-email')
    const product = await findProduct(tx, provider.id, input.productReference)
    if (!product || product.deletedAt !== null)
      throw notFound('Product', input.productReference, 'productReference')
    const resourceIds = await resourceIdsOf(tx, provider, input.resourceReferences)
    const replaces = await replacedBy(tx, provider, input.participationReference, customer.id)
    const wish = { ...time, productId: product.id, resourceIds }
    const entry: NewEntry = {
      ...wish,
      customerId: customer.id,
      channelKey: 'RESOURCE_PUBLIC',
      note: input.note ?? null,
      places: input.places,
      replaces,
      state: 'WAITING',
      language: null,
      locale: null,
      timeZone: null,
      wish: wishDigest(wish, replaces),
    }
    return insertWaiting(tx, { service, actor, provider }, entry, input)
  }
  return service.db.transaction(work, error => violates(error, 'waiting_entry_wish'))
}

/** Writes an entry that waits from the start, or finds the same one. */
export async function insertWaiting(
  tx: Queryable,
  { service, actor, provider }: ProviderContext,
  entry: NewEntry,
  { priority, priorityReason }: Pick<StaffInput, 'priority' | 'priorityReason'> = {},
): Promise<{ entry: EntryRecord; created: boolean }> {
  const known = await entryWithWish(tx, provider.id, entry.customerId, entry.wish)
  if (known) return { entry: known, created: false }
  if ((await countOpen(tx, provider.id, entry.customerId)) >= maxOpen) throw tooMany()
  const id = await insertEntry(tx, provider.id, entry)
  if (id === null) throw new RestartTransaction()
  if (priority) {
    const because = priorityReason ?? null
    await updateEntry(tx, id, { ...entry, priority, priorityReason: because })
  }
  await recordEvents(tx, service, { actor, provider, events: { 'waiting.joined': [id] } })
  await searchAgainFor(tx, provider.id, [entry.customerId])
  return { entry: (await entriesById(tx, [id]))[0]!, created: true }
}

const tooMany = () => new Refusal('conflict', { rule: 'max-waiting', limit: maxOpen })

async function resourceIdsOf(tx: Queryable, provider: ProviderRow, references: string[] | null | undefined) {
  if (!references || references.length === 0) return null
  const ids = []
  for (const reference of new Set(references)) {
    const resource = await findResource(tx, provider.id, reference)
    if (!resource) throw notFound('Resource', reference, 'resourceReferences')
    ids.push(resource.id)
  }
  return ids
}

async function replacedBy(
  tx: Queryable,
  provider: ProviderRow,
  reference: string | null | undefined,
  customerId: number,
) {
  if (!reference) return null
  const booking = await findParticipation(tx, provider.id, reference)
  if (!booking || booking.customerId !== customerId)
    throw notFound('Participation', reference, 'participationReference')
  if (booking.state !== 'BOOKED') throw invalidField('participationReference', 'not-booked')
  return booking.id
}

type EntryChange = Partial<WishInput> & {
  productReference?: string | null
  resourceReferences?: string[] | null
  note?: string | null
  priority?: number | null
  priorityReason?: string | null
}

/** Changes only the fields sent. The place in line stays. */
export async function changeEntry(
  { service, actor, provider }: ProviderContext,
  uuid: string,
  change: EntryChange,
): Promise<EntryRecord> {
  const work = async (tx: Queryable) => {
    const entry = await lockEntry(tx, uuid)
    if (!entry || entry.providerId !== provider.id) throw notFound('Waiting list entry', uuid)
    refuseOver(entry)
    const before = await entriesById(tx, [entry.id])
    const time = readWish({ ...timesOf(entry), ...given(change) })
    const product = change.productReference
      ? await findProduct(tx, provider.id, change.productReference)
      : { id: entry.productId, deletedAt: null }
    if (!product || product.deletedAt !== null)
      throw notFound('Product', change.productReference!, 'productReference')
    const resourceIds =
      change.resourceReferences === undefined
        ? entry.resourceIds
        : await resourceIdsOf(tx, provider, change.resourceReferences)
    const wish = { ...time, productId: product.id, resourceIds }
    await updateEntry(tx, entry.id, {
      ...wish,
      note: change.note === undefined ? entry.note : change.note,
      priority: change.priority ?? entry.priority,
      priorityReason: change.priorityReason === undefined ? entry.priorityReason : change.priorityReason,
      wish: wishDigest(wish, entry.replaces),
    }).catch(error => {
      throw violates(error, 'waiting_entry_wish') ? new Refusal('conflict', { rule: 'waits-already' }) : error
    })
    const changed = (await entriesById(tx, [entry.id]))[0]!
    if (isDeepStrictEqual(changed, before[0])) return changed
    await recordEvents(tx, service, { actor, provider, events: { 'waiting.changed': [entry.id] } })
    await searchAgainFor(tx, provider.id, [entry.customerId])
    return changed
  }
  return service.db.transaction(work)
}

function refuseOver({ state }: EntryRecord) {
  if (state === 'BOOKED' || state === 'LEFT' || state === 'ENDED')
    throw new Refusal('conflict', { rule: 'ended:change' })
}

const timesOf = (entry: EntryRecord): WishInput => ({
  from: entry.fromDate,
  to: entry.toDate,
  weekdays: [1, 2, 3, 4, 5, 6, 7].filter(one => entry.weekdays & (1 << (one - 1))),
  timeFrom: clockText(entry.fromMinute),
  timeTo: clockText(entry.toMinute),
})

const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const given = ({ from, to, weekdays, timeFrom, timeTo }: EntryChange) =>
  Object.fromEntries(
    Object.entries({ from, to, weekdays, timeFrom, timeTo }).filter(([_key, value]) => value !== undefined),
  )

/** The entry counts from now. Another one with the same wish takes its place. */
export async function confirmEntry(
  { service, actor, provider }: ProviderContext,
  uuid: string,
): Promise<EntryRecord> {
  const work = async (tx: Queryable) => {
    const entry = await lockEntry(tx, uuid)
    if (!entry) throw notFound('Waiting list entry', uuid)
    if (entry.state !== 'UNCONFIRMED') return entry
    const known = await entryWithWish(tx, provider.id, entry.customerId, wishDigest(entry, entry.replaces))
    if (known) {
      await deleteEntry(tx, entry.id)
      return known
    }
    if ((await countOpen(tx, provider.id, entry.customerId)) >= maxOpen) throw tooMany()
    await confirm(tx, entry.id)
    await recordEvents(tx, service, { actor, provider, events: { 'waiting.joined': [entry.id] } })
    await searchAgainFor(tx, provider.id, [entry.customerId])
    return (await entriesById(tx, [entry.id]))[0]!
  }
  return service.db.transaction(work, error => violates(error, 'waiting_entry_wish'))
}

/** Takes the person off the list. A time that is held for them goes to the next one. */
export async function leaveList(
  { service, actor, provider }: ProviderContext,
  uuid: string,
  because: EndReason,
): Promise<EntryRecord> {
  return withEntry(service, provider, uuid, async (tx, entry, offer) => {
    if (entry.state === 'BOOKED' || entry.state === 'LEFT' || entry.state === 'ENDED') return entry
    if (offer) await endOffer(tx, offer.id, 'WITHDRAWN')
    const wasCounted = entry.state !== 'UNCONFIRMED'
    await setEntryState(tx, [entry.id], 'LEFT', because)
    await recordEvents(tx, service, {
      actor,
      provider,
      events: { 'waiting.left': wasCounted ? [entry.id] : [] },
    })
    if (offer) await passOn(tx, service, offer)
    return (await entriesById(tx, [entry.id]))[0]!
  })
}

/** The person waits on; the time goes to the next one in the same transaction. */
export async function declineOffer(context: ProviderContext, offer: LiveOffer): Promise<boolean> {
  const { service, actor, provider } = context
  return withEntry(service, provider, offer.entryUuid, async (tx, entry, live) => {
    if (live?.id !== offer.id || !live.isLive) return false
    await endOffer(tx, live.id, 'DECLINED')
    await returnToLine(tx, entry.id, { isUnanswered: false, most: 1_000_000 })
    await recordEvents(tx, service, { actor, provider, events: { 'waiting.declined': [entry.id] } })
    await passOn(tx, service, live)
    return true
  })
}

/** Releases the hold and offers its time to the next person. Call with the Resource locked. */
export async function passOn(tx: Queryable, service: Service, offer: LiveOffer) {
  const { providerId, resourceId, customerId, startAt, endAt, placeholder } = offer
  await markChangedHolds(tx, [placeholder])
  await releaseHolds(tx, [placeholder])
  await offerFreedTimes(tx, service, providerId, [{ resourceId, from: startAt, to: endAt }])
  await searchAgainFor(tx, providerId, [customerId])
}

/** Resources are locked before entries, as everywhere. */
async function withEntry<T>(
  service: Service,
  provider: ProviderRow,
  uuid: string,
  work: (tx: Queryable, entry: EntryRecord, offer: LiveOffer | null) => Promise<T>,
): Promise<T> {
  return service.db.transaction(async tx => {
    const seen = await findEntry(tx, uuid)
    if (!seen || seen.providerId !== provider.id) throw notFound('Waiting list entry', uuid)
    const before = await findLiveOffer(tx, seen.id)
    if (before) await lockById(tx, before.resourceId)
    const entry = await lockEntry(tx, uuid)
    if (!entry) throw notFound('Waiting list entry', uuid)
    const offer = await findLiveOffer(tx, entry.id)
    // Made while we waited, at a Resource that is not locked.
    if (offer && offer.id !== before?.id) throw new RestartTransaction()
    return work(tx, entry, offer)
  })
}
