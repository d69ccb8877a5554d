import type { ResourceWindow } from '../../../db/booking/windows.ts'
import type { OfferedSlot } from '../../../db/scheduling/waiting-takers.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { type Bookable, bookablesOf } from '../../../rules/offers/bookables.ts'
import type { SlotRequest } from '../../../rules/offers/slots.ts'
import { day, minute, offeredProducts, type Product, type Span } from '../../../rules/offers/window.ts'
import { offerEnd } from '../../../rules/waiting/offer-time.ts'
import { asFreeSlot, minuteOf } from '../../../rules/waiting/wish.ts'

/** A free time that can be offered, and how it would be taken. */
export type Candidate = OfferedSlot & { loaded: ResourceWindow; request: SlotRequest }

/** Free times that overlap one of these spans, by the rules of the public list, each with the end of its offer. */
export function candidatesIn(provider: ProviderRow, windows: ResourceWindow[], spans: Span[]): Candidate[] {
  const found = windows.flatMap(loaded =>
    offeredProducts(loaded.window).flatMap(product =>
      freeTimes(loaded, product, spans).flatMap(one => toCandidate(provider, loaded, product, one)),
    ),
  )
  return found.map((one, position) => ({ ...one, position }))
}

/** At once: a few days of one Resource take no time. */
export function listBookables(...question: Parameters<typeof bookablesOf>): Bookable[] {
  const listing = bookablesOf(...question)
  let step = listing.next()
  while (!step.done) step = listing.next()
  return step.value.bookables
}

function freeTimes({ window, now }: ResourceWindow, product: Product, spans: Span[]): Bookable[] {
  const from = Math.min(...spans.map(one => one.from)) - day
  const to = Math.max(...spans.map(one => one.to))
  return listBookables(window, { now, wants: id => id === product.id, from, to }).filter(
    ({ start, end, capacityLeft }) =>
      capacityLeft > 0 && spans.some(span => start < span.to && end > span.from),
  )
}

export function toCandidate(
  provider: ProviderRow,
  loaded: ResourceWindow,
  product: Product,
  { start, end, appointment, timeslotUuid, capacityLeft }: Bookable,
): Omit<Candidate, 'position'>[] {
  const { now, channel, resource, window } = loaded
  const expiresAt = offerEnd({
    now,
    minutes: provider.offerMinutes,
    quiet: { from: minuteOf(provider.quietFrom)!, until: minuteOf(provider.quietUntil)! },
    timeZone: provider.timeZone,
    latest: start - channel.minimumNoticeMinutes * minute,
  })
  if (expiresAt === null) return []
  const timeslot = window.timeslots.find(one => one.uuid === timeslotUuid)
  const request = appointment
    ? { appointment, productId: product.id }
    : { timeslot: timeslot!, productId: product.id, start, end }
  const slot = asFreeSlot({ productId: product.id, resourceId: resource.id, start, end }, provider.timeZone)
  return [{ ...slot, channelKey: channel.key, expiresAt, capacityLeft, loaded, request }]
}
