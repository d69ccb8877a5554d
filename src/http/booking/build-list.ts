import { hash } from 'node:crypto'
import { productFilter } from '../../actions/booking/product-filter.ts'
import type { Nearby, NearbyPlace } from '../../db/booking/nearby.ts'
import {
  isBusy,
  readAppointments,
  type TimeslotFinder,
  timeslotFinder,
} from '../../db/booking/window-appointments.ts'
import { fromNow, loadWindows, type ResourceWindow, unlinkedOf } from '../../db/booking/windows.ts'
import { concatInSteps } from '../../lib/concat.ts'
import { RenderedList } from '../../lib/list-cache.ts'
import { runInSteps } from '../../lib/run-in-steps.ts'
import type { Bookable, Wants } from '../../rules/offers/bookables.ts'
import { changedRangesSince } from '../../rules/offers/changed-ranges.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import {
  bookablesOfDay,
  cutIntoDays,
  type DayReach,
  dayAt,
  daysAround,
  reachOf,
  spanOfDay,
} from '../../rules/offers/list-days.ts'
import { day, type Span, type Window } from '../../rules/offers/window.ts'
import { offsetAt, zoneOffsets } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import {
  endOf,
  joinPieces,
  type ListFormats,
  type Piece,
  periodOf,
  SizeCheck,
  SlotWriter,
  shareBytes,
} from './slot-list.ts'

// Lists consist of days. A cached list that is out of date is patched: only the days in changed ranges, and
// those that time alone has changed, are read and written again. A change without a range rebuilds the whole
// list.

export type RequestedResource = {
  /** As requested. */
  ref: string
  resourceId: number
  providerId: number
  crmId: number
  channelKey: ChannelKey
  revision: number
  touched: string
  /** The history that the revision belongs to. */
  history: string
  timeZone: string
}

export type ListPlan = { formats: ListFormats; bounds: Span[]; prdRef?: string; leaving?: string }

/** A Resource on a list, without its Appointments. Any change to this rebuilds the whole list. */
type Sold = {
  loaded: ResourceWindow
  wants: Wants
  bounds: Span
  reach: DayReach
  timeslotOf: TimeslotFinder
}

type Day = { piece: Piece; validUntil: number }

/** The inputs of a list, kept for patching it. */
type Basis = {
  sold: Sold[]
  formats: ListFormats
  shift: number
  days: Map<number, Day>
  revisions: number[]
}

export const snapshotKey = (wanted: Pick<RequestedResource, 'resourceId' | 'revision' | 'channelKey'>[]) =>
  wanted.map(one => `${one.resourceId}:${one.revision}:${one.channelKey}`).join()

const endOfList = ({ sold, formats }: Basis) =>
  endOf(
    sold.map(one => one.loaded),
    formats,
  )

/** A list that can be patched. */
export class SlotList extends RenderedList {
  basis: Basis

  constructor(body: Buffer | null, basis: Basis) {
    const days = [...basis.days.values()]
    const snapshot = basis.sold.map(({ loaded: { resource, channel } }, index) => ({
      resourceId: resource.id,
      revision: basis.revisions[index]!,
      channelKey: channel.key,
    }))
    const essence = days.map(({ piece }) => piece.content).join('') + endOfList(basis)
    const validUntil = days.reduce((least, one) => Math.min(least, one.validUntil), Number.POSITIVE_INFINITY)
    super(body, hash('sha1', essence, 'base64url'), snapshotKey(snapshot), validUntil)
    this.basis = basis
  }

  static async from(basis: Basis): Promise<SlotList> {
    const pieces = [...basis.days.values()].map(one => one.piece)
    const end = endOfList(basis)
    const written = joinPieces(pieces, end)
    const body = written && (await concatInSteps(written.parts, written.length))
    if (body) shareBytes(body, pieces, end)
    return new SlotList(body, basis)
  }

  /** The same list at later revisions that did not affect it. */
  at(revisions: number[]): SlotList {
    const list = new SlotList(this.status === 204 ? null : this.body, { ...this.basis, revisions })
    list.forms = this.forms
    return list
  }

  /** Includes an estimate for the inputs. */
  override get bytes() {
    const timeslots = this.basis.sold.reduce((sum, { loaded }) => sum + loaded.window.timeslots.length, 0)
    const essences = [...this.basis.days.values()].reduce((sum, { piece }) => sum + piece.content.length, 0)
    return (
      super.bytes + essences + 400 * this.basis.days.size + 150 * timeslots + 2000 * this.basis.sold.length
    )
  }
}

export async function makeList(
  service: Service,
  plan: ListPlan,
  wanted: RequestedResource[],
): Promise<RenderedList> {
  const providerIds = wanted.map(one => one.providerId)
  const [wantsAt, windows] = await Promise.all([
    productFilter(service.db, providerIds, plan.prdRef),
    loadWindows(service.db, wanted, widest(plan)),
  ])
  // The windows may be newer than the check: the list belongs to the revisions that were read.
  const revisions = windows.map(one => one.resource.revision)
  const isVisible = windows.some(({ window }) => !window.archived && window.channel.visible)
  if (!isVisible)
    return RenderedList.of(
      hidden,
      snapshotKey(wanted.map((one, index) => ({ ...one, revision: revisions[index]! }))),
      Number.POSITIVE_INFINITY,
    )
  const sold = windows.map((loaded, index) => asSold(loaded, wantsAt(loaded), plan.bounds[index]!))
  const basis = { sold, formats: plan.formats, shift: shiftOf(windows[0]!), days: new Map(), revisions }
  const days = await runInSteps(makeDays(basis, windows))
  const list = await SlotList.from({ ...basis, days })
  // A list for a move is personal and read once or twice. And while a request to move is pending, two distant
  // times depend on each other. Neither can be patched.
  return plan.leaving || windows.some(one => one.isUndecided)
    ? new RenderedList(
        list.status === 204 ? null : list.body,
        list.etag.slice(3, -1),
        list.snapshot,
        list.validUntil,
      )
    : list
}

const isHidden = Buffer.from('{"public_visible":false}')
const hidden = { parts: [isHidden], length: isHidden.length }

function widest(plan: ListPlan) {
  const { from, to } = widestOf(plan)
  return fromNow(from, to, plan.leaving)
}

const widestOf = ({ bounds }: ListPlan): Span => ({
  from: Math.min(...bounds.map(one => one.from)),
  to: Math.max(...bounds.map(one => one.to)),
})

function asSold(loaded: ResourceWindow, wants: Wants, bounds: Span): Sold {
  const { window } = loaded
  return {
    loaded: { ...loaded, window: { ...window, appointments: [] } },
    wants,
    bounds,
    reach: reachOf(window),
    timeslotOf: timeslotFinder(window.timeslots),
  }
}

const shiftOf = ({ provider, now }: ResourceWindow) => offsetAt(zoneOffsets(provider.timeZone, now, now), now)

type At = { window: Window; now: number }

/** The days of these windows, or those of `only`, in order; a generator, to run in small steps. */
function* makeDays(
  { sold, formats, shift }: Basis,
  at: At[],
  only?: number[],
): Generator<void, Map<number, Day>> {
  const found = new Map<number, { lists: Bookable[][]; validUntil: number }>()
  for (const [of, { wants, bounds, reach }] of sold.entries()) {
    const { window, now } = at[of]!
    const span = { from: Math.max(now, bounds.from), to: bounds.to }
    const options = { now, wants, ...bounds }
    for (const [index, inDay] of cutIntoDays(window, reach, shift, span, only)) {
      const { bookables, validUntil } = yield* bookablesOfDay(window, inDay, index, shift, options)
      const known = found.get(index) ?? { lists: sold.map(() => []), validUntil: Number.POSITIVE_INFINITY }
      known.lists[of] = bookables
      known.validUntil = Math.min(validUntil, known.validUntil)
      found.set(index, known)
    }
  }
  const resources = sold.map(one => one.loaded)
  const period = periodOf([...found.values()].flatMap(one => one.lists))
  const writer = new SlotWriter(resources, formats, ...period)
  // Bookings matter only for a choice between several Resources.
  const booked = sold.length > 1 ? bookedByDay(at, shift) : null
  const days = new Map<number, Day>()
  const size = new SizeCheck()
  for (const [index, { lists, validUntil }] of inOrder(found)) {
    const piece = yield* writer.write(lists, booked?.(index))
    size.add(piece)
    days.set(index, { piece, validUntil })
    yield
  }
  return days
}

/** The number of places taken at each Resource, by day. */
function bookedByDay(at: At[], shift: number): (index: number) => number[] {
  const counts = at.map(({ window }) => {
    const byDay = new Map<number, number>()
    for (const one of window.appointments) {
      const index = dayAt(one.start, shift)
      // For what is merely busy, such as a booking by staff, lists do not read the places.
      byDay.set(index, (byDay.get(index) ?? 0) + (isBusy(one) ? Math.max(1, one.taken) : one.taken))
    }
    return byDay
  })
  return index => counts.map(one => one.get(index) ?? 0)
}

const inOrder = <T>(days: Map<number, T>) => [...days].sort(([a], [b]) => a - b)

/** Null if the list cannot be patched, or if patching would keep hardly anything. */
export async function patchList(
  service: Service,
  known: SlotList,
  wanted: RequestedResource[],
  now: number,
): Promise<SlotList | null> {
  const { basis } = known
  const stale = staleDays(basis, wanted, now)
  if (stale?.length === 0) return known.at(wanted.map(one => one.revision))
  if (!stale || stale.length > Math.max(3, basis.days.size / 2)) return null
  const places = basis.sold.map(one => placesOf(one, stale, basis.shift))
  const read = await service.nearby.read(places.flat())
  const found = places.map(ofOne => read.splice(0, ofOne.length))
  const at = basis.sold.map((one, index) => asWindow(one, found[index]!))
  if (at.some(one => one === null)) return null
  // A change since the check is fine if what was read includes it.
  const latest = at.map(one => one!.nearby)
  const staleNow = staleDays(basis, latest, now)
  if (!staleNow?.every(one => stale.includes(one))) return null
  const rebuilt = await runInSteps(makeDays(basis, at as At[], stale))
  const days = new Map(basis.days)
  for (const index of stale) days.delete(index)
  for (const [index, one] of rebuilt) days.set(index, one)
  return SlotList.from({ ...basis, days: new Map(inOrder(days)), revisions: latest.map(one => one.revision) })
}

/** The days that are out of date; null if that is unknown. */
function staleDays(
  { sold, shift, days, revisions }: Basis,
  latest: { revision: number; touched: string }[],
  now: number,
): number[] | null {
  const stale = new Set<number>()
  for (const [index, { validUntil }] of days) if (now >= validUntil) stale.add(index)
  for (const [index, { reach }] of sold.entries()) {
    const { revision, touched } = latest[index]!
    const spans =
      revision === revisions[index] ? [] : changedRangesSince(touched, revisions[index]!, revision)
    if (spans === null) return null
    for (const span of spans) {
      if (span.to - span.from > maxPatchedDays * day) return null
      const { first, last } = daysAround(span, reach, shift)
      for (let one = Math.max(first, dayAt(now, shift)); one <= last; one++) stale.add(one)
    }
  }
  return [...stale].sort((a, b) => a - b)
}

const maxPatchedDays = 100

/** Consecutive days are read as one span. */
function placesOf({ loaded, reach }: Sold, stale: number[], shift: number): NearbyPlace[] {
  const places: NearbyPlace[] = []
  for (const [index, one] of stale.entries()) {
    const { from, to } = spanOfDay(one, shift)
    const before = places.at(-1)
    if (before && stale[index - 1] === one - 1) before.to = to + reach.before
    else
      places.push({
        resourceId: loaded.resource.id,
        showsFull: loaded.channel.showFull,
        from: from - reach.behind,
        to: to + reach.before,
      })
  }
  return places
}

/** Null if the Resource is gone, or an Appointment has a Product that was not read. */
function asWindow(
  { loaded, timeslotOf }: Sold,
  found: (Nearby | undefined)[],
): (At & { nearby: Nearby }) | null {
  const [nearby] = found
  if (!nearby || found.some(one => one?.revision !== nearby.revision)) return null
  const rows = found.map(one => readAppointments(one!.appointments, timeslotOf))
  if (rows.includes(null)) return null
  const byId = new Map(rows.flatMap(some => some!.map(one => [one.id, one])))
  const window = { ...loaded.window, appointments: [...byId.values()] }
  const known = new Set(window.unlinked?.map(one => one.id))
  if (unlinkedOf(window).some(id => !known.has(id))) return null
  return { window, now: nearby.now, nearby }
}
