import { randomUUID } from 'node:crypto'
import { bumpRevision } from '../../../db/base/ledger.ts'
import type { Queryable, Transaction } from '../../../db/base/pool.ts'
import { removeExpiredHolds } from '../../../db/booking/consumer-appointments.ts'
import { insertHolds, type NewHold } from '../../../db/booking/holds.ts'
import { explainedPeriod, loadWindows, type ResourceWindow } from '../../../db/booking/windows.ts'
import { findSeriesMax } from '../../../db/scheduling/series.ts'
import { invalidField, notFound, slotTaken } from '../../../errors.ts'
import { type Bookable, bookablesOf } from '../../../rules/offers/bookables.ts'
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
import { productRefusal } from '../choose-slot.ts'
import { ClientHolds } from '../client-holds.ts'
import { countHeld } from '../limits.ts'
import { lockForRequests, readSnapshots } from '../lock-and-read.ts'
import { refuseConstraint } from '../refuse-slot.ts'
import { refuseTooManyPlaces } from '../take-places.ts'

// Holds the dates of a series for a consumer: each that is free, by the rules of a single hold and under the
// same lock.

export type SeriesRequest = {
  refs: string[]
  channelKey: ChannelKey
  timeslotUuid: string
  productUuid: string
  /** The first date. */
  start: number
  end: number
  rule: Repeat
  places: number
  client: string | null
}

export type HeldDate = {
  start: number
  end: number
  /** Null if the date is taken. */
  hold: { placeholder: string; expiresAt: number; timeslotUuid: string } | null
  nearest: Bookable[]
}

type Planned = { start: number; end: number; placement: Placement | null; nearest: Bookable[] }

export async function reserveSeries(
  service: Service,
  request: SeriesRequest,
): Promise<{ loaded: ResourceWindow; dates: HeldDate[] }> {
  if (!isUuid(request.timeslotUuid)) throw notFound('Timeslot', request.timeslotUuid, 'timeslot_uuid')
  return service.db.transaction(tx => reserveIn(tx, service, request)).catch(refuseConstraint)
}

async function reserveIn(tx: Transaction, service: Service, request: SeriesRequest) {
  const holds = new ClientHolds(service.config)
  const [, around] = await Promise.all([
    holds.read(tx, request.client === null ? [] : [request.client], []),
    lockFirst(tx, request),
  ])
  service.suspensions.refuseProvider(around.provider.id)
  holds.refuseMore({ client: request.client, placeholder: null }, around.resource.id)
  const starts = startsOf(request, around, await findSeriesMax(tx, around.channel.uuid))
  const loaded = await loadAll(tx, around, starts)
  const product = productByUuid(loaded.window, request.productUuid)
  if (!product) throw await productRefusal(tx, loaded, request.productUuid)
  refuseTooManyPlaces(product, request.places)
  const wish = { productId: product.id, places: request.places }
  const planned = planDates(loaded, wish, starts, request.end - request.start)
  const wanted = planned.flatMap(({ placement }) => (placement ? [placement] : []))
  const newHolds = wanted.map((placement, index) => ({
    loaded,
    placement,
    appointmentUuid: uuidOf(placement),
    uuid: randomUUID(),
    placeholder: randomUUID(),
    // All holds of a series count as one.
    client: index === 0 ? request.client : null,
    renewals: 0,
    replaces: null,
    beside: [],
  }))
  const written = await writeHolds(tx, service, loaded, newHolds)
  const waiting = [...newHolds]
  const dates = planned.map(({ start, end, placement, nearest }) => {
    const hold = placement && waiting.shift()!
    return { start, end, nearest, hold: hold ? heldBy(hold, written.get(hold.uuid)!.expiresAt) : null }
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

function startsOf({ rule, start }: SeriesRequest, { provider }: ResourceWindow, max: number): number[] {
  const most = { rule: 'max', limit: max } as const
  if (max < 2) throw invalidField('rule', 'This channel takes no series.', most)
  const first = toOffsetText(wallOfInstant(start, provider.timeZone), 0).slice(0, -1)
  const starts = repeatedStarts(first, rule, provider.timeZone)
  if (!Array.isArray(starts)) throw invalidField(`rule.${starts.invalid}`, 'The rule gives no usable dates.')
  if (starts.length > max) throw invalidField('rule.count', `A series can have ${max} dates here.`, most)
  // In the hour that occurs twice, the time that was asked for.
  return starts.map((one, index) => (index === 0 ? start : one))
}

const aroundDays = 3

async function loadAll(tx: Queryable, { resource, channel }: ResourceWindow, starts: number[]) {
  const [loaded] = await loadWindows(
    tx,
    [{ resourceId: resource.id, channelKey: channel.key }],
    explainedPeriod(starts[0]! - aroundDays * day, starts.at(-1)! + aroundDays * day),
  )
  if (!loaded) throw slotTaken()
  return loaded
}

/** In order of time, each on the window that the ones before it left. */
function planDates({ window, now }: ResourceWindow, wish: Wish, starts: number[], length: number): Planned[] {
  let current = window
  const planned = starts.map(start => {
    const placement = placeAt(current, wish, { start, end: start + length }, now)
    if (placement) current = withPlacement(current, placement, uuidOf(placement))
    return { start, end: start + length, placement }
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
  const listing = bookablesOf(window, {
    now,
    wants: id => id === productId,
    from: start - aroundDays * day,
    to: start + aroundDays * day,
  })
  let step = listing.next()
  while (!step.done) step = listing.next()
  const distance = (one: Bookable) => Math.abs(one.start - start)
  return step.value.bookables
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
  const [, , written] = await Promise.all([
    bumpRevision(tx, spans),
    removeExpiredHolds(tx, [loaded], joinedBy(holds.map(one => one.placement))),
    insertHolds(tx, holds, service.config.holdSeconds),
    countHeld(tx, service, counted),
  ])
  return written
}
