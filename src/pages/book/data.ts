import { isDeepStrictEqual } from 'node:util'
import type { Product, PublicData } from '../../../web/shared/api-types.ts'
import { isDay, monthOf } from '../../../web/shared/dates.ts'
import { listOf, offering } from '../../../web/shared/list-answer.ts'
import { type Slot, slotOf } from '../../../web/shared/slots.ts'
import { dayAt, monthBounds, startOfDay } from '../../../web/shared/zones.ts'
import { resolveRef } from '../../actions/booking/resolve-ref.ts'
import type { Business } from '../../db/booking/businesses.ts'
import type { FoundRefs } from '../../db/booking/refs.ts'
import { Refusal } from '../../errors.ts'
import { currentList, defaultFormats, toListRequest } from '../../http/booking/bookables.ts'
import { SlotList } from '../../http/booking/build-list.ts'
import { distinctRefs } from '../../http/booking/distinct-refs.ts'
import { type PublicAnswers, publicAnswers } from '../../http/booking/public-data.ts'
import { groupsOf } from '../../http/booking/slot-list.ts'
import type { RenderedList } from '../../lib/list-cache.ts'
import { type ChannelKey, isChannelKey } from '../../rules/offers/channels.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import type { Typed } from './typed.ts'

export type BookQuery = {
  channelKey?: string | undefined
  product?: string
  date?: string
  lang?: string
  /** The selected Resource, if there are several. */
  resource?: string
}

export type BookData = {
  /** By uuid: a name can be spelled in many ways, and a uuid is unique. */
  refs: string[]
  /** As in the address, each once. */
  requested: string[]
  /** If the address names a business. */
  business?: Business
  query: BookQuery
  places: PublicData[]
  /** The selected Resource, or the first. */
  place: PublicData
  /** True if there are several and the visitor has no preference. */
  isAny: boolean
  products: Product[]
  /** The requested Product, or the only one. */
  product: Product | null
  slots: Slot[]
  /** The period of the list; it has no end if the first month was empty. */
  from: number
  to: number | null
  isClosed: boolean
  /** The time zone for display, if it is not the Provider's. */
  zone?: string
  /** When it was read. */
  now: number
  /** What the Resources show besides their times. */
  answers: PublicAnswers
  /** The page stays the same at the revisions of these answers, until this time. */
  validUntil: number
  /** From the form that the visitor has left. */
  typed?: Typed
}

/** Who asks: lists are built fairly between clients. With a booking to move, its own time counts as free. */
export type Visitor = {
  service: Service
  line: string
  leaving?: string | undefined
  /** Revisions that were read for this visitor. */
  checked?: Checked | null
}

/** `answers`: those of the page before, if they are still the same. */
export type Checked = { refs: string[]; found: FoundRefs; answers?: PublicAnswers | null }

const margin = 2 * 86_400_000

/** Null if one of the Resources is unknown. */
export async function loadBookData(
  visitor: Visitor,
  ref: string[],
  query: BookQuery,
  languageTag?: string,
): Promise<BookData | null> {
  const key = query.channelKey ?? 'RESOURCE_PUBLIC'
  try {
    const requested = distinctRefs('ref', ref)
    const found = await foundFor(visitor, requested)
    // The uuid of a channel brings its own key; any other key beside it is ignored.
    const isNeeded = requested.some((ref, index) => !resolveRef(found.found, ref, index + 1).channelKey)
    if (isNeeded && !isChannelKey(key)) return null
    const channelKey = isChannelKey(key) ? key : 'RESOURCE_PUBLIC'
    const known = found === visitor.checked?.found ? visitor.checked.answers : null
    const answers =
      known ?? (await publicAnswers(visitor.service, { ref: requested, channelKey, languageTag }, found))
    const checked = { refs: requested, found }
    const shown = isChannelKey(key) ? query : { ...query, channelKey: undefined }
    const times = await loadTimes({ ...visitor, checked }, shown, channelKey, answers)
    return { requested, now: found.now, answers, ...times }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return null
    throw error
  }
}

async function foundFor({ service, checked }: Visitor, refs: string[]): Promise<FoundRefs> {
  return checked && isDeepStrictEqual(checked.refs, refs) ? checked.found : service.refs.check(refs)
}

async function loadTimes(
  visitor: Visitor,
  query: BookQuery,
  channelKey: ChannelKey,
  { about, found: { now }, validUntil }: PublicAnswers,
) {
  const places: PublicData[] = about.places
  const all: Product[] = about.products
  const chosen = all.find(one => one.uuid === query.product || one.ref === query.product)
  const product = chosen ?? (all.length === 1 ? all[0]! : null)
  const chosenPlace = offering(places, product?.uuid).find(
    one => one.resource.uuid === query.resource || one.ref === query.resource,
  )
  const prdRef = all.length > 1 ? product?.uuid : undefined
  // A channel's uuid stays as it is, since it also selects the channel.
  const refs = places.map(one => (isUuid(one.ref) ? one.ref : one.resource.uuid))
  const place = chosenPlace ?? places[0]!
  const { timeZone } = place.provider
  const listed = await loadSlots(visitor, refs, { date: query.date, prdRef, channelKey, timeZone, now })
  const isAny = places.length > 1 && !chosenPlace
  const until = Math.min(validUntil, listed.validUntil, endOfDay(now, timeZone))
  return { refs, query, places, place, isAny, products: all, product, ...listed, validUntil: until }
}

/** Days are counted from today. */
const endOfDay = (now: number, zone: string) => startOfDay(dayAt(now + 86_400_000, zone), zone)

type SlotQuery = {
  date: string | undefined
  prdRef: string | undefined
  channelKey: ChannelKey
  timeZone: string
  now: number
}

/** Too many for the widget, which needs whole months: these pages are plain, and show a few days at a time. */
export const isLarge = (refs: string[]) => refs.length > 50

/** As many as fit; the next page starts on the last of them. */
function someDays(refs: string[], first: string, zone: string) {
  const start = startOfDay(first, zone)
  return { start, from: start, until: start + Math.floor(600 / refs.length) * 86_400_000 }
}

/** With a margin for visitors in other time zones. */
function monthAround(first: string, zone: string) {
  const { from, to } = monthBounds(monthOf(first), zone)
  return { start: from, from: from - margin, until: to + margin }
}

/** The first period; if it is empty, everything after it. */
async function loadSlots(
  visitor: Visitor,
  refs: string[],
  { date, prdRef, channelKey, timeZone: zone, now }: SlotQuery,
) {
  const { service, line, leaving } = visitor
  const found = await foundFor(visitor, refs)
  const today = dayAt(now, zone)
  const first = isDay(date) && date > today ? date : today
  const { start, from, until } = isLarge(refs) ? someDays(refs, first, zone) : monthAround(first, zone)
  for (const to of [until, null]) {
    const bounds = [from, to].map(at => (at === null ? undefined : new Date(at).toISOString()))
    const wanted = { refs, channelKey, prdRef, leaving, from: bounds[0], to: bounds[1] }
    const asked = { ...defaultFormats, ...wanted, products: 'ids' as const }
    const list = await currentList(service, toListRequest(asked), line, found)
    const { validUntil } = list
    const { slots, isClosed } = slotsIn(list)
    const isEnough = slots.some(one => one.start >= start && one.seatsLeft > 0)
    if (isClosed || isEnough || to === null) return { slots, from, to, isClosed, validUntil }
  }
  throw new Error('unreachable')
}

const known = new WeakMap<object, Slot[]>()

/** After a booking most days of a list are still the same objects: these are not parsed again. */
function slotsIn(list: RenderedList): { slots: Slot[]; isClosed: boolean } {
  if (!(list instanceof SlotList)) {
    const { bookables, visible } = listOf(list.status === 204 ? {} : JSON.parse(list.body.toString()))
    return { slots: bookables.map(slotOf), isClosed: !visible }
  }
  const days = [...list.basis.days.values()].map(({ piece }) => {
    const slots = known.get(piece) ?? listOf(JSON.parse(groupsOf(piece))).bookables.map(slotOf)
    known.set(piece, slots)
    return slots
  })
  return { slots: days.flat(), isClosed: false }
}

/** The requested day, or now. */
export function shownFrom(data: BookData): number {
  const { date } = data.query
  return isDay(date) ? startOfDay(date, zoneOf(data)) : 0
}

export const zoneOf = ({ zone, place }: BookData): string => zone ?? place.provider.timeZone

/** The Resource of a slot. */
export const placeOf = ({ places, place }: BookData, uuid: string): PublicData =>
  places.find(one => one.resource.uuid === uuid) ?? place

/** The reference to use in API calls about the selected Resource. */
export const refOf = ({ refs, places, place }: BookData): string => refs[places.indexOf(place)]!
