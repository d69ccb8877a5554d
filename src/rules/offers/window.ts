// What one Resource can sell through one channel. Instants are epoch milliseconds, durations minutes.

import type { Contact } from '../people/contacts.ts'
import { lastInstant } from '../time/civil.ts'
import type { Reach } from './busy-spans.ts'

/** The most that a Product can allow. */
export const maxPlacesAtOnce = 100

export const minute = 60_000
export const day = 24 * 60 * minute

export type Product = {
  id: number
  uuid: string
  name: string
  minDuration: number | null
  maxDuration: number | null
  leadTimeMinutes: number | null
  followUpTimeMinutes: number | null
  /** Its booking form has questions. */
  asks?: boolean
  /** Places that consumers can book at once. */
  maxPlaces?: number
  placeNamesRequired?: boolean
}

/** `bookable`: in the state BOOKABLE and open to the public. */
export type Timeslot = {
  id: number
  uuid: string
  start: number
  end: number
  raster: number
  capacity: number
  bookable: boolean
}

type Price = { value: number; currency: string }

/**
 * An ACTIVE Appointment. `open`: consumers may join it. `taken`: places that currently count against its
 * capacity.
 */
export type Appointment = {
  /** Null until it is written. */
  id: number | null
  uuid: string
  reference: string
  timeslotUuid: string | null
  productId: number
  productName: string | null
  /** Set by the provider, for consumers who may join. */
  price?: Price | null
  /** Set if it has its own contact. Only lists read it. */
  contact?: Contact
  start: number
  end: number
  blockedFrom: number
  blockedTo: number
  capacity: number
  taken: number
  open: boolean
  /** When the next hold in it expires. */
  holdUntil: number | null
}

/** Time off offer. Lists read only the span. */
export type Closure = Span & { reason: string | null; isBlock: boolean }

export type ChannelRules = {
  visible: boolean
  productIds: number[] | null
  minimumNoticeMinutes: number
  horizonDays: number | null
  showFull: boolean
}

/** Timeslots are ordered by start. */
export type Window = {
  archived: boolean
  channel: ChannelRules
  /** Those that the Resource supports. */
  products: Product[]
  /** Products of the provider's Appointments that the Resource does not otherwise support. */
  unlinked?: Product[]
  timeslots: Timeslot[]
  appointments: Appointment[]
  closed: Reach<Closure>
  /** Busy in an external calendar. */
  outside?: Reach<Span>
}

/** A Product of the Resource, or of an Appointment at it. */
export const productByUuid = ({ products, unlinked = [] }: Window, uuid: string): Product | undefined =>
  [...products, ...unlinked].find(one => one.uuid === uuid.toLowerCase())

/** The Products that this channel sells of this Resource. */
export function offeredProducts({ products, channel }: Window): Product[] {
  const allowed = channel.productIds
  return allowed === null ? products : products.filter(product => allowed.includes(product.id))
}

/**
 * An Appointment is sold with its own Product, linked to the Resource or not, unless the channel excludes it.
 */
export function productToJoin(window: Window, { productId }: Appointment): Product | undefined {
  const { products, unlinked = [], channel } = window
  if (channel.productIds !== null && !channel.productIds.includes(productId)) return undefined
  return products.find(one => one.id === productId) ?? unlinked.find(one => one.id === productId)
}

/** A slot must start after this moment ... */
export const earliestStart = (channel: ChannelRules, now: number) =>
  now + channel.minimumNoticeMinutes * minute

/** ... and not after this one. */
export const latestStart = (channel: ChannelRules, now: number) =>
  channel.horizonDays === null ? Number.POSITIVE_INFINITY : now + channel.horizonDays * day

export type Span = { from: number; to: number }

/** The time that an Appointment blocks: its own, plus the buffers of its Product. */
export function blockedSpan(
  start: number,
  end: number,
  { leadTimeMinutes, followUpTimeMinutes }: Pick<Product, 'leadTimeMinutes' | 'followUpTimeMinutes'>,
): Span {
  const to = end + (followUpTimeMinutes ?? 0) * minute
  return { from: start - (leadTimeMinutes ?? 0) * minute, to: Math.min(to, lastInstant) }
}
