import { randomUUID } from 'node:crypto'
import { bumpForHolds, bumpRevision } from '../../../db/base/ledger.ts'
import type { Queryable, Transaction } from '../../../db/base/pool.ts'
import { removeExpiredHolds } from '../../../db/booking/consumer-appointments.ts'
import { insertHolds, type NewHold, releaseHolds } from '../../../db/booking/holds.ts'
import { explainedPeriod, loadWindows, type ResourceWindow } from '../../../db/booking/windows.ts'
import { findSeriesMax } from '../../../db/scheduling/series.ts'
import { invalidField, notFound, slotTaken } from '../../../errors.ts'
import { allNamed } from '../../../lib/objects.ts'
import type { Bookable } from '../../../rules/offers/bookables.ts'
import type { ChannelKey } from '../../../rules/offers/channels.ts'
import { type Repeat, repeatedStarts } from '../../../rules/offers/repeat.ts'
import {
  blockedByPlacement,
  joinedBy,
  type Placement,
  place,
  withPlacement,
} from '../../../rules/offers/slots.ts'
import { day, productByUuid, type Window } from '../../../rules/offers/window.ts'
import { isUuid } from '../../../rules/references.ts'
import { toOffsetText } from '../../../rules/time/time.ts'
import { wallOfInstant } from '../../../rules/time/zones.ts'
import type { Service } from '../../../service.ts'
import { listBookables } from '../../scheduling/waiting/candidates.ts'
import { productRefusal } from '../choose-slot.ts'
import { ClientHolds } from '../client-holds.ts'
import { countHeld } from '../limits.ts'
import { lockForRequests, readSnapshots } from '../lock-and-read.ts'
import { refuseConstraint } from '../refuse-slot.ts'
import { refuseTooManyPlaces } from '../take-places.ts'

// Holds the dates of a series for a consumer: each that is free, by the rules of a single hold and under the
// same lock.

type SeriesRequest = {
  refs: string[]
  channelKey: ChannelKey
  timeslotUuid: string
  productUuid: string
  /** The first date. */
  start: number
  end: number
  rule: Repeat
  /** Dates of the rule that begin at another time. */
  instead: { date: number; start: number }[]
  /** The client's earlier holds, which are released: that of the first date first. */
  replaced: string[]
  places: number
  client: string | null
}

type HeldDate = {
  /** The start by the rule. */
  date: number
  start: number
  end: number
  /** Null if the date is taken. */
  hold: { placeholder: string; expiresAt: number; timeslotUuid: string } | null
  nearest: Bookable[]
}

type Wanted = Pick<HeldDate, 'date' | 'start'>
type Planned = Wanted & { end: number; placement: Placement | null; nearest: Bookable[] }

export async function reserveSeries(
  service: Service,
  request: SeriesRequest,
): Promise<{ loaded: ResourceWindow; dates: HeldDate[] }> {
  if (!isUuid(request.timeslotUuid)) throw notFound('Timeslot', request.timeslotUuid, 'timeslot_uuid')
  return service.db.transaction(tx => reserveIn(tx, service, request)).catch(refuseConstraint)
}

async function reserveIn(tx: Transaction, service: Service, request: SeriesRequest) {
  const holds = new ClientHolds(service.config)
  const { client, replaced } = request
  const { around } = await allNamed({
    read: holds.read(tx, client === null ? [] : [client], replaced),
    around: lockFirst(tx, request),
  })
  service.suspensions.refuseProvider(around.provider.id)
  const own = { client, placeholder: replaced[0] ?? null }
  holds.refuseMore(own, around.resource.id)
  const renewals = holds.renewalsOf(own, around.resource.id, request.start, maxChanges)
  const wantedDates = datesOf(request, around, await findSeriesMax(tx, around.channel.uuid))
  if (replaced.length > 0) await Promise.all([bumpForHolds(tx, replaced), releaseHolds(tx, replaced)])
  const loaded = await loadAll(tx, around, wantedDates)
  const product = productByUuid(loaded.window, request.productUuid)
  if (!product) throw await productRefusal(tx, loaded, request.productUuid)
  refuseTooManyPlaces(product, request.places)
  const wish = { productId: product.id, places: request.places }
  const planned = planDates(loaded, wish, wantedDates, request.end - request.start)
  const wanted = planned.flatMap(({ placement }) => (placement ? [placement] : []))
  const newHolds = wanted.map((placement, index) => ({
    loaded,
    placement,
    appointmentUuid: uuidOf(placement),
    uuid: randomUUID(),
    placeholder: randomUUID(),
    // All holds of a series count as one.
    client: index === 0 ? client : null,
    renewals: index === 0 ? renewals : 0,
    replaces: null,
    beside: [],
  }))
  const written = await writeHolds(tx, service, loaded, newHolds)
  const waiting = [...newHolds]
  const dates = planned.map(({ placement, ...date }) => {
    const hold = placement && waiting.shift()!
    return { ...date, hold: hold ? heldBy(hold, written.get(hold.uuid)!.expiresAt) : null }
  })
  return { loaded, dates }
}

const uuidOf = (placement: Placement) =>
  placement.kind === 'join' ? placement.appointment.uuid : randomUUID()

const heldBy = ({ placeholder, placement }: NewHold, expiresAt: number) => ({
  placeholder,
  expiresAt,
  timeslotUuid:
    placement.kind === 'new'
      ? placement.timeslot.uuid
      : (placement.appointment.timeslotUuid ?? placement.appointment.uuid),
})

/** Locks the Resource by its first date, as a single hold does. */
async function lockFirst(tx: Transaction, request: SeriesRequest) {
  const { refs, channelKey, timeslotUuid, start, end } = request
  const target = { uuid: timeslotUuid.toLowerCase(), from: start, to: end, itsOwnTimes: true }
  const looking = { target, refs, channelKey, placeholder: null }
  const locking = lockForRequests(tx, [looking], { waiting: true })
  const [snapshot] = await readSnapshots(tx, [looking], locking, { waiting: true })
  if (snapshot!.kind === 'refused') throw snapshot!.refusal
  if (snapshot!.kind !== 'loaded') throw notFound('Timeslot', timeslotUuid, 'timeslot_uuid')
  return snapshot!.loaded
}

/** How often a client may change a series that it holds. */
const maxChanges = 30

function datesOf(
  { rule, start, instead }: SeriesRequest,
  { provider }: ResourceWindow,
  max: number,
): Wanted[] {
  if (max < 2) throw invalidField('rule', 'max:no-series', { limit: max })
  const first = toOffsetText(wallOfInstant(start, provider.timeZone), 0).slice(0, -1)
  const starts = repeatedStarts(first, rule, provider.timeZone)
  if (!Array.isArray(starts)) throw invalidField(`rule.${starts.invalid}`, 'series-none:channel')
  if (starts.length > max) throw invalidField('rule.count', 'max:dates', { limit: max })
  // In the hour that occurs twice, the time that was asked for.
  const dates = starts.map((one, index) => (index === 0 ? start : one))
  const others = new Map(instead.map(one => [one.date, one.start]))
  for (const [date, other] of others)
    if (!dates.includes(date) || Math.abs(other - date) > aroundDays * day)
      throw invalidField('instead', 'series-instead')
  return dates.map(date => ({ date, start: others.get(date) ?? date }))
}

const aroundDays = 3

async function loadAll(tx: Queryable, { resource, channel }: ResourceWindow, dates: Wanted[]) {
  const starts = dates.map(one => one.start)
  const [loaded] = await loadWindows(
    tx,
    [{ resourceId: resource.id, channelKey: channel.key }],
    explainedPeriod(Math.min(...starts) - aroundDays * day, Math.max(...starts) + aroundDays * day),
  )
  if (!loaded) throw slotTaken()
  return loaded
}

/** In order of time, each on the window that the ones before it left. */
function planDates({ window, now }: ResourceWindow, wish: Wish, dates: Wanted[], length: number): Planned[] {
  let current = window
  const planned = dates.map(({ date, start }) => {
    const placement = placeAt(current, wish, { start, end: start + length }, now)
    if (placement) current = withPlacement(current, placement, uuidOf(placement))
    return { date, start, end: start + length, placement }
  })
  return planned.map(date => ({
    ...date,
    nearest: date.placement ? [] : nearestIn(current, wish, date.start, now),
  }))
}

type Wish = { productId: number; places: number }

function placeAt(window: Window, wish: Wish, span: { start: number; end: number }, now: number) {
  for (const timeslot of window.timeslots) {
    if (timeslot.start > span.start || timeslot.end < span.end) continue
    const result = place(window, { timeslot, ...wish, ...span }, now)
    if (!('reason' in result)) return result
  }
  return null
}

const shown = 3

function nearestIn(window: Window, { productId, places }: Wish, start: number, now: number): Bookable[] {
  const around = { from: start - aroundDays * day, to: start + aroundDays * day }
  const distance = (one: Bookable) => Math.abs(one.start - start)
  return listBookables(window, { now, wants: id => id === productId, ...around })
    .filter(one => one.capacityLeft >= places)
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, shown)
}

async function writeHolds(tx: Transaction, service: Service, loaded: ResourceWindow, holds: NewHold[]) {
  if (holds.length === 0) return new Map()
  const spans = holds.map(({ placement }) => ({
    resourceId: loaded.resource.id,
    ...blockedByPlacement(placement),
  }))
  const counted = holds.filter(one => one.client !== null).map(() => loaded.resource.id)
  const { written } = await allNamed({
    bumped: bumpRevision(tx, spans),
    removed: removeExpiredHolds(tx, [loaded], joinedBy(holds.map(one => one.placement))),
    written: insertHolds(tx, holds, service.config.holdSeconds),
    counted: countHeld(tx, service, counted),
  })
  return written
}
