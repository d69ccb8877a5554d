import { LRUCache } from 'lru-cache'
import type { Nearby } from '../../db/booking/nearby.ts'
import type { Revision } from '../../db/booking/refs.ts'
import type { LockedTarget, TargetWindow } from '../../db/booking/targets.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { asAppointment, asBusy, type Busy, KnownTimes } from '../../rules/offers/known-times.ts'
import { minute, type Span, type Timeslot } from '../../rules/offers/window.ts'
import { isUuid } from '../../rules/references.ts'
import { isFreeSlot } from './choose-slot.ts'
import { isNamedBy } from './lock-and-read.ts'
import type { PreparedReserve } from './requests.ts'

// What lists have read of Resources, kept for later holds: the lock returns the revision, so a free slot is
// granted without reading it again. Every other request, and every refusal, reads the database.

type Offer = {
  /** The history that its revisions belong to. */
  history: string
  /** The span whose Appointments were read. */
  bounds: Span
  times: KnownTimes
  channels: Map<ChannelKey, Sold>
}

/**
 * Everything except Appointments. Changes to it raise the revision without a range, which drops the cache
 * entry.
 */
type Sold = {
  loaded: ResourceWindow
  timeslots: Map<string, Timeslot>
  /** The span whose Timeslots and closures were read: the longest of all lists so far. */
  bounds: Span
}

export type CachedAvailability = { offer: Offer; sold: Sold; timeslot: Timeslot }

/** The ref that a list was requested by, and the revision of the Resource. */
type Asked = Revision & { history: string; ref: string }

/** A span as it was read. */
export type CachedPart = Span & { nearby: Nearby; busy: Busy[] }

/** A Resource whose free slots missed the cache, the channel, and how far ahead the requests were. */
export type Unknown = { resource: string; channelKey: ChannelKey; to: number }

/**
 * Reading a whole Resource costs about as much as this many single reads, so prefetching at most doubles the
 * cost.
 */
const mostMissed = 16

export class AvailabilityCache {
  /** By the uuid of the Resource. */
  offers: LRUCache<string, Offer> | null
  /** By the uuid of the channel. */
  channels = new LRUCache<string, { resource: string; key: ChannelKey }>({ max: 100_000 })
  /** The Resource that last answered to this name. A guess: ownership is checked before it is used. */
  names = new LRUCache<string, string>({ max: 10_000 })
  /**
   * Requests that found the Resource locked. Their Timeslot may be gone, so the next try reads the database.
   */
  lockedOut = new WeakSet<PreparedReserve>()
  mostMissed = mostMissed
  missed = new LRUCache<string, Unknown & { times: number }>({ max: 10_000 })
  unknown: Unknown[] = []
  /** Resources whose prefetch is pending or running. */
  learning = new Set<string>()

  constructor(limit: number) {
    this.offers = limit > 0 ? new LRUCache({ maxSize: limit, sizeCalculation: bytesOf }) : null
  }

  /**
   * Saves what was read for a list. `sold` is the object that the list already keeps, to share its memory.
   */
  note(asked: Asked, read: ResourceWindow, sold: ResourceWindow, bounds: Span) {
    if (!this.offers) return
    const { resource, channel, now, leftovers } = read
    const busy = [...read.window.appointments.map(asBusy), ...leftovers]
    const span = { from: Math.max(bounds.from, now), to: bounds.to }
    const known = this.known(resource, asked)
    const before = known?.channels.get(channel.key)
    const offered = before && isWithin(span, before.bounds) ? before : asSold(sold, span)
    const channels = new Map([...(known?.channels ?? []), [channel.key, offered]])
    const isPart = known && isWithin(span, known.bounds) && known.times.replace(span, busy)
    const { times, bounds: all } = isPart
      ? known
      : { times: new KnownTimes(resource.revision, busy), bounds: span }
    this.missed.delete(nameOf(read))
    if (!isUuid(asked.ref)) this.names.set(asked.ref, resource.uuid)
    this.channels.set(channel.uuid, { resource: resource.uuid, key: channel.key })
    this.offers.set(resource.uuid, { history: asked.history, bounds: all, times, channels })
  }

  /** The cache entry, if it is usable at the revision that was read. */
  known({ uuid, revision }: ResourceWindow['resource'], asked: Asked): Offer | null {
    const known = this.offers?.get(uuid)
    if (known?.history !== asked.history || asked.revision !== revision) return null
    return known.times.bringTo(revision, asked.touched) ? known : null
  }

  /** Saves parts that were read again. */
  noteNearby(history: string, uuid: string, parts: CachedPart[]) {
    const known = this.offers?.get(uuid)
    if (!known || known.history !== history) return
    for (const { nearby, busy, ...span } of parts) {
      if (nearby.revision < known.times.revision) return
      if (!known.times.bringTo(nearby.revision, nearby.touched)) return void this.offers!.delete(uuid)
      known.times.replace(span, busy)
    }
    this.weighAnew(uuid, known)
  }

  /**
   * The cache entry for a plain request for a free slot. The caller still checks who owns the names in it.
   */
  find(wish: PreparedReserve): CachedAvailability | null {
    const { refs, target, period } = wish
    if (!this.offers || !isPlain(wish) || this.lockedOut.has(wish)) return null
    const uuids = refs.filter(isUuid)
    const name = uuids.at(-1)?.toLowerCase() ?? this.names.get(refs[0]!) ?? ''
    const { resource, key } = this.channels.get(name) ?? { resource: name, key: wish.channelKey }
    const offer = this.offers.get(resource)
    const sold = offer?.channels.get(key)
    const timeslot = sold?.timeslots.get(target.uuid)
    if (!offer || !sold || !timeslot || !isNamedBy(uuids, sold.loaded)) return null
    const isRead = isWithin(period, offer.bounds) && isWithin(period, sold.bounds)
    return isRead ? { offer, sold, timeslot } : null
  }

  /** The snapshot that decides the request, if the slot is known to be free. */
  pictureFor(wish: PreparedReserve, known: CachedAvailability, locked: LockedTarget): TargetWindow | null {
    const { offer, sold, timeslot } = known
    const { history, revision, touched, now } = locked
    const uuid = sold.loaded.resource.uuid
    if (offer.history !== history || !offer.times.bringTo(revision, touched)) {
      this.offers!.delete(uuid)
      return null
    }
    const busy = offer.times.within(near(wish.period, sold.loaded, timeslot), now)
    if (!busy) return null
    const window = { ...sold.loaded.window, appointments: busy.map(asAppointment) }
    const target = { kind: 'timeslot' as const, timeslotId: timeslot.id, productId: null }
    const resource = { ...sold.loaded.resource, revision }
    const loaded = { ...sold.loaded, resource, now, window, target }
    return isFreeSlot(loaded, wish, timeslot) ? loaded : null
  }

  /** Counts a request that had to be read; after repeated misses the whole Resource is prefetched. */
  miss(wish: PreparedReserve, loaded: TargetWindow) {
    const timeslot = loaded.window.timeslots.find(one => one.uuid === wish.target.uuid)
    if (!this.offers || !isPlain(wish) || !timeslot || !isFreeSlot(loaded, wish, timeslot)) return
    const name = nameOf(loaded)
    // Requests that were locked out read the database anyway, so they do not count.
    if (this.learning.has(name) || this.lockedOut.has(wish)) return
    const before = this.missed.get(name) ?? { times: 0, to: 0 }
    const to = Math.max(before.to, wish.period.to)
    const unknown = { resource: loaded.resource.uuid, channelKey: loaded.channel.key, to }
    const times = before.times + 1
    this.missed.set(name, { ...unknown, times: times % this.mostMissed })
    if (times < this.mostMissed) return
    this.unknown.push(unknown)
    this.learning.add(name)
  }

  /** Takes the Resources that are due for a prefetch. */
  takeUnknown(): Unknown[] {
    return this.unknown.splice(0)
  }

  learned({ resource, channelKey }: Unknown) {
    this.learning.delete(`${resource} ${channelKey}`)
  }

  /** Applies a change made by this process. */
  changed(uuid: string, locked: LockedTarget, change: { added: Busy[]; kept: Span[] }) {
    const known = this.offers?.get(uuid)
    if (known?.history !== locked.history) return
    known.times.advance(locked.revision, change)
    if (change.added.length > 0) this.weighAnew(uuid, known)
  }

  /** Updates the size of a growing entry: the LRU cache measures only objects that it has not seen before. */
  weighAnew(uuid: string, known: Offer) {
    this.offers!.set(uuid, { ...known })
  }

  get bytes(): number {
    return this.offers?.calculatedSize ?? 0
  }
}

const asSold = (sold: ResourceWindow, bounds: Span): Sold => ({
  loaded: { ...sold, leftovers: [] },
  timeslots: new Map(sold.window.timeslots.map(one => [one.uuid, one])),
  bounds,
})

const nameOf = ({ resource, channel }: ResourceWindow) => `${resource.uuid} ${channel.key}`

/** A request for a slot of a Timeslot, without a hold to replace or a booking to move. */
const isPlain = ({ appointmentUuid, placeholder, moving }: PreparedReserve) =>
  !appointmentUuid && !placeholder && !moving

const isWithin = (one: Span, other: Span) => one.from >= other.from && one.to <= other.to

/** The same span that an uncached read covers (db/booking/windows.ts). */
function near({ from, to }: Span, { window: { products } }: ResourceWindow, { raster }: Timeslot): Span {
  const most = (minutes: (number | null)[]) => Math.max(0, ...minutes.map(one => one ?? 0)) * minute
  const behind = most(products.map(one => one.followUpMinutes)) + raster * minute
  return { from: from - most(products.map(one => one.leadMinutes)), to: to + behind }
}

const bytesOf = ({ times, channels }: Offer, uuid: string) =>
  1000 +
  uuid.length +
  100 * times.size +
  [...channels.values()].reduce((sum, one) => sum + 2000 + 250 * one.timeslots.size, 0)
