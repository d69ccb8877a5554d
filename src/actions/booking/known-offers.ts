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
import { isNamedBy } from './lock-and-load.ts'
import type { ReserveWish } from './wishes.ts'

// What lists have read of Resources, for those who then hold a slot: behind the lock, which tells the revision, a free slot
// is granted without reading anything again. Whatever else a wish may be, or may have to be told, is read.

type Offer = {
  /** Which history its revisions belong to. */
  history: string
  /** The time whose Appointments were read. */
  bounds: Span
  times: KnownTimes
  channels: Map<ChannelKey, Sold>
}

/** All but Appointments. None of it changes without a revision that does not say what it touched. */
type Sold = {
  loaded: ResourceWindow
  timeslots: Map<string, Timeslot>
  /** The time whose Timeslots and closures were read, by whichever list looked furthest. */
  bounds: Span
}

export type KnownOffer = { offer: Offer; sold: Sold; timeslot: Timeslot }

/** Under which name a list was asked for, and at which revision of which history the Resource was. */
type Asked = Revision & { history: string; ref: string }

/** Some time, as it was read. */
export type KnownPart = Span & { nearby: Nearby; busy: Busy[] }

/** A Resource at which free slots had to be read, through which channel, and how far ahead. */
export type Unknown = { resource: string; channelKey: ChannelKey; to: number }

/** Reading all of a Resource costs about as much as so many holds that read for themselves: at worst it is all twice as dear. */
const mostMissed = 16

export class KnownOffers {
  /** By the uuid of the Resource. */
  offers: LRUCache<string, Offer> | null
  /** The Resource of a channel. */
  channels = new LRUCache<string, { resource: string; key: ChannelKey }>({ max: 100_000 })
  /** The Resource that a list was asked for by this name: the likeliest, no more. */
  names = new LRUCache<string, string>({ max: 10_000 })
  /** Those who came to a locked door. Their Timeslot may be gone, with nothing to lock: next time they are looked at. */
  lockedOut = new WeakSet<ReserveWish>()
  mostMissed = mostMissed
  missed = new LRUCache<string, Unknown & { times: number }>({ max: 10_000 })
  unknown: Unknown[] = []
  /** Those that are to be read, or are being read. */
  learning = new Set<string>()

  constructor(limit: number) {
    this.offers = limit > 0 ? new LRUCache({ maxSize: limit, sizeCalculation: bytesOf }) : null
  }

  /** What was read for a list. `sold` is kept by the list already, if there is one. */
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

  /** What is known already, if that is of use at the revision that was read. */
  known({ uuid, revision }: ResourceWindow['resource'], asked: Asked): Offer | null {
    const known = this.offers?.get(uuid)
    if (known?.history !== asked.history || asked.revision !== revision) return null
    return known.times.bringTo(revision, asked.touched) ? known : null
  }

  /** A part of it was read anew. */
  noteNearby(history: string, uuid: string, parts: KnownPart[]) {
    const known = this.offers?.get(uuid)
    if (!known || known.history !== history) return
    for (const { nearby, busy, ...span } of parts) {
      if (nearby.revision < known.times.revision) return
      if (!known.times.bringTo(nearby.revision, nearby.touched)) return void this.offers!.delete(uuid)
      known.times.replace(span, busy)
    }
    this.weighAnew(uuid, known)
  }

  /** Where a plain wish for a free slot could be known. Whose the names in it are is still to be looked up. */
  find(wish: ReserveWish): KnownOffer | null {
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

  /** What decides about the wish, if the slot is known to be free. */
  pictureFor(wish: ReserveWish, known: KnownOffer, locked: LockedTarget): TargetWindow | null {
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

  /** A wish was read. Where that is so again and again for free slots, the whole Resource is to be. */
  miss(wish: ReserveWish, loaded: TargetWindow) {
    const timeslot = loaded.window.timeslots.find(one => one.uuid === wish.target.uuid)
    if (!this.offers || !isPlain(wish) || !timeslot || !isFreeSlot(loaded, wish, timeslot)) return
    const name = nameOf(loaded)
    // Whoever came to a locked door reads anyway.
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

  /** Those that are to be read as a whole. */
  takeUnknown(): Unknown[] {
    return this.unknown.splice(0)
  }

  learned({ resource, channelKey }: Unknown) {
    this.learning.delete(`${resource} ${channelKey}`)
  }

  /** What we have changed ourselves. */
  changed(uuid: string, locked: LockedTarget, change: { added: Busy[]; kept: Span[] }) {
    const known = this.offers?.get(uuid)
    if (known?.history !== locked.history) return
    known.times.advance(locked.revision, change)
    if (change.added.length > 0) this.weighAnew(uuid, known)
  }

  /** What is sold all day long grows: its size is that of now. The cache asks for it only of what it has not seen before. */
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

/** For a slot of a Timeslot, and for nothing else. */
const isPlain = ({ appointmentUuid, placeholder, moving }: ReserveWish) =>
  !appointmentUuid && !placeholder && !moving

const isWithin = (one: Span, other: Span) => one.from >= other.from && one.to <= other.to

/** The same time as is read where nothing is known (db/booking/windows.ts). */
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
