import { hash } from 'node:crypto'
import { productFilter } from '../../actions/booking/resolve-ref.ts'
import type { Nearby, NearbyPlace } from '../../db/booking/nearby.ts'
import {
  isBusy,
  readAppointments,
  type TimeslotFinder,
  timeslotFinder,
} from '../../db/booking/window-appointments.ts'
import { fromNow, loadWindows, type ResourceWindow, unlinkedOf } from '../../db/booking/windows.ts'
import type { Encoding } from '../../lib/compression.ts'
import { concatInSteps } from '../../lib/concat.ts'
import { RenderedList } from '../../lib/list-cache.ts'
import { runInSteps } from '../../lib/run-in-steps.ts'
import { type Bookable, kindsIn, type Wants } from '../../rules/offers/bookables.ts'
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
  inOne,
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

/** What one Resource offers on one day. */
type Part = {
  bookables: Bookable[]
  validUntil: number
  /** Places taken: they matter only for a choice between several Resources. */
  booked: number
}

/** `parts`: by Resource, if there are several; a change at one of them leaves the others as they are. */
type Day = { piece: Piece; validUntil: number; parts: Part[] | null }

const nothing: Part = { bookables: [], validUntil: Number.POSITIVE_INFINITY, booked: 0 }

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

  constructor(parts: readonly Buffer[] | null, basis: Basis) {
    const days = [...basis.days.values()]
    const snapshot = basis.sold.map(({ loaded: { resource, channel } }, index) => ({
      resourceId: resource.id,
      revision: basis.revisions[index]!,
      channelKey: channel.key,
    }))
    const essence = days.map(({ piece }) => piece.digest).join('') + endOfList(basis)
    const validUntil = days.reduce((least, one) => Math.min(least, one.validUntil), Number.POSITIVE_INFINITY)
    super(parts, hash('sha1', essence, 'base64url'), snapshotKey(snapshot), validUntil)
    this.basis = basis
  }

  static async from(basis: Basis, isPatched = false): Promise<SlotList> {
    const pieces = [...basis.days.values()].map(one => one.piece)
    const end = endOfList(basis)
    // The days of a list of several Resources stay apart, so that a patch copies only its own. A patched list is joined
    // when it is sent: booking pages only read its slots.
    const isApart = isPatched || basis.sold.length > 1
    if (isApart) for (const piece of pieces) inOne(piece)
    const written = joinPieces(pieces, end)
    if (isApart) return new SlotList(written?.parts ?? null, basis)
    const body = written && (await concatInSteps(written.parts, written.length))
    if (body) shareBytes(body, pieces, end)
    return new SlotList(body && [body], basis)
  }

  override get body(): Buffer {
    const isApart = this.parts.length > 1
    const body = super.body
    const pieces = [...this.basis.days.values()].map(one => one.piece)
    if (isApart) shareBytes(body, pieces, endOfList(this.basis))
    return body
  }

  /** The list of one Resource is joined first: writing each of its days to a stream would cost more than the copy. */
  override encoded(encoding: Encoding) {
    if (this.basis.sold.length === 1 && !this.forms.has(encoding)) this.parts = [this.body]
    return super.encoded(encoding)
  }

  /** The same list at later revisions that did not affect it. */
  at(revisions: number[]): SlotList {
    const list = new SlotList(this.status === 204 ? null : this.parts, { ...this.basis, revisions })
    list.forms = this.forms
    return list
  }

  /** Includes an estimate for the inputs. */
  override get bytes() {
    const timeslots = this.basis.sold.reduce((sum, { loaded }) => sum + loaded.window.timeslots.length, 0)
    const slots = [...this.basis.days.values()].flatMap(one => one.parts ?? [])
    const kept = slots.reduce((sum, { bookables }) => sum + 80 + 100 * bookables.length, 0)
    // Until a patched list is joined, most of its days are views of the list before.
    const before = this.basis.sold.length === 1 && this.parts.length > 1 ? this.length : 0
    const inputs = 400 * this.basis.days.size + 150 * timeslots + 2000 * this.basis.sold.length
    return super.bytes + before + kept + inputs
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
        list.status === 204 ? null : list.parts,
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

/** Days, each with the Resources whose part of it is out of date. */
type Stale = Map<number, Set<number>>

const staleDaysOf = (stale: Stale, resource: number) =>
  [...stale].filter(([_key, resources]) => resources.has(resource)).map(([index]) => index)

/** All days of these windows, or the stale ones, in order; a generator, to run in small steps. */
function* makeDays(
  { sold, formats, shift, days: known }: Basis,
  at: (At | null)[],
  stale?: Stale,
): Generator<void, Map<number, Day>> {
  const found = new Map<number, Part[]>()
  const partsBefore = (index: number) =>
    sold.map((_, of) => (stale?.get(index)?.has(of) ? null : known.get(index)?.parts?.[of]) ?? nothing)
  for (const index of stale?.keys() ?? []) if (known.has(index)) found.set(index, partsBefore(index))
  for (const [of, { wants, bounds, reach }] of sold.entries()) {
    if (!at[of]) continue
    const { window, now } = at[of]
    const span = { from: Math.max(now, bounds.from), to: bounds.to }
    const options = { now, wants, ...bounds, kinds: kindsIn(window, wants) }
    const booked = sold.length > 1 ? bookedByDay(window, shift) : null
    const only = stale && staleDaysOf(stale, of)
    for (const [index, inDay] of cutIntoDays(window, reach, shift, span, only)) {
      const listing = yield* bookablesOfDay(window, inDay, index, shift, options)
      const parts = found.get(index) ?? partsBefore(index)
      parts[of] = { ...listing, booked: booked?.get(index) ?? 0 }
      found.set(index, parts)
    }
  }
  const resources = sold.map(one => one.loaded)
  const period = periodOf([...found.values()].flat().map(one => one.bookables))
  const writer = new SlotWriter(resources, formats, ...period)
  const days = new Map<number, Day>()
  const size = new SizeCheck()
  for (const [index, parts] of inOrder(found)) {
    const lists = parts.map(one => one.bookables)
    const piece = yield* writer.write(
      lists,
      parts.map(one => one.booked),
    )
    size.add(piece)
    const validUntil = Math.min(...parts.map(one => one.validUntil))
    days.set(index, { piece, validUntil, parts: sold.length > 1 ? parts : null })
    yield
  }
  return days
}

/** The number of places taken at a Resource, by day. */
function bookedByDay({ appointments }: Window, shift: number): Map<number, number> {
  const byDay = new Map<number, number>()
  for (const one of appointments) {
    const index = dayAt(one.start, shift)
    // For what is merely busy, such as a booking by staff, lists do not read the places.
    byDay.set(index, (byDay.get(index) ?? 0) + (isBusy(one) ? Math.max(1, one.taken) : one.taken))
  }
  return byDay
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
  const stale = findStale(basis, wanted, now)
  if (stale?.size === 0) return known.at(wanted.map(one => one.revision))
  if (!stale || stale.size > Math.max(3, basis.days.size / 2)) return null
  const places = basis.sold.map((one, of) => placesOf(one, staleDaysOf(stale, of), basis.shift))
  const read = await service.nearby.read(places.flat())
  const at = basis.sold.map((one, of) => {
    const found = read.splice(0, places[of]!.length)
    return found.length > 0 ? asWindow(one, found) : null
  })
  if (at.some((one, of) => one === null && places[of]!.length > 0)) return null
  // A change since the check is fine if what was read includes it.
  const latest = wanted.map((one, of) => at[of]?.nearby ?? one)
  const staleNow = findStale(basis, latest, now)
  if (!staleNow || [...staleNow].some(([index, ofs]) => !ofs.isSubsetOf(stale.get(index) ?? new Set())))
    return null
  const rebuilt = await runInSteps(makeDays(basis, at, stale))
  const days = new Map(basis.days)
  for (const index of stale.keys()) days.delete(index)
  for (const [index, one] of rebuilt) days.set(index, one)
  return SlotList.from(
    { ...basis, days: new Map(inOrder(days)), revisions: latest.map(one => one.revision) },
    true,
  )
}

/** What is out of date; null if that is unknown. */
function findStale(
  { sold, shift, days, revisions }: Basis,
  latest: { revision: number; touched: string }[],
  now: number,
): Stale | null {
  const stale: Stale = new Map()
  const add = (index: number, of: number) => stale.set(index, (stale.get(index) ?? new Set()).add(of))
  for (const [index, { validUntil, parts }] of days)
    if (now >= validUntil)
      for (const of of sold.keys()) if (!parts || now >= parts[of]!.validUntil) add(index, of)
  for (const [of, { reach }] of sold.entries()) {
    const { revision, touched } = latest[of]!
    const spans = revision === revisions[of] ? [] : changedRangesSince(touched, revisions[of]!, revision)
    if (spans === null) return null
    for (const span of spans) {
      if (span.to - span.from > maxPatchedDays * day) return null
      const { first, last } = daysAround(span, reach, shift)
      for (let one = Math.max(first, dayAt(now, shift)); one <= last; one++) add(one, of)
    }
  }
  return new Map(inOrder(stale))
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
