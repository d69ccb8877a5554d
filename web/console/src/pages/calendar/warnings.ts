import { type CalendarPeriod, type Entry, offers, peopleIn, placesTaken } from '../../records.ts'
import { texts } from './words.ts'

type PlacementRequest = {
  resourceUuid: string
  start: number
  end: number
  productUuid: string | null
  except?: string
  /** The customer can join a group. */
  canJoin?: boolean
}

/** Bookings that overlap, including buffers. */
export function overlapping(data: CalendarPeriod, request: PlacementRequest): Entry[] {
  const product = data.products.find(one => one.uuid === request.productUuid)
  const from = request.start - (product?.leadTimeMinutes ?? 0) * 60_000
  const to = request.end + (product?.followUpTimeMinutes ?? 0) * 60_000
  return data.entries.filter(
    one =>
      one.state === 'ACTIVE' &&
      one.uuid !== request.except &&
      one.resource.uuid === request.resourceUuid &&
      Date.parse(one.blockedFrom) < to &&
      Date.parse(one.blockedTo) > from,
  )
}

/** The customer's other bookings at this time. */
export const elsewhere = (
  data: CalendarPeriod,
  customerUuid: string,
  { start, end }: { start: number; end: number },
) =>
  data.entries.filter(
    one =>
      one.state === 'ACTIVE' &&
      Date.parse(one.start) < end &&
      Date.parse(one.end) > start &&
      peopleIn(one).some(({ customer }) => customer?.uuid === customerUuid),
  )

/** A group of the same Product that starts then: the service adds the customer to it. */
export const groupAt = (
  data: CalendarPeriod,
  { resourceUuid, productUuid, start }: PlacementRequest,
): Entry | undefined =>
  data.entries.find(
    one =>
      one.capacity > 1 &&
      one.state === 'ACTIVE' &&
      one.resource.uuid === resourceUuid &&
      one.product.uuid === productUuid &&
      Date.parse(one.start) === start,
  )

/** Warnings before an action; staff may continue anyway. */
export function warningsOf(data: CalendarPeriod, request: PlacementRequest): string[] {
  const { resourceUuid, start, end } = request
  if (!(start < end)) return []
  const group = request.canJoin ? groupAt(data, request) : undefined
  const isFull = group !== undefined && placesTaken(group) >= group.capacity
  const overlaps = overlapping(data, request).filter(one => one !== group)
  const isOpen = data.timeslots.some(
    one => one.resourceUuid === resourceUuid && Date.parse(one.start) <= start && Date.parse(one.end) >= end,
  )
  const closures = data.closures.filter(
    one =>
      (one.resources === null || one.resources.includes(resourceUuid)) &&
      Date.parse(one.from) < end &&
      Date.parse(one.to) > start,
  )
  const isBusyOutside = data.busyTimes.some(
    one => one.resourceUuid === resourceUuid && Date.parse(one.from) < end && Date.parse(one.to) > start,
  )
  const resource = data.resources.find(one => one.uuid === resourceUuid)
  const product = data.products.find(one => one.uuid === request.productUuid)
  const isNotOffered = resource && product && !offers(resource, product)
  return [
    ...(isNotOffered ? [texts.notOffered(resource.name, product.name)] : []),
    ...overlaps.slice(0, 3).map(one => texts.overlaps(one.people[0]?.name ?? one.product.name)),
    ...(isFull ? [texts.groupFull(group.capacity)] : []),
    ...closures.slice(0, 2).map(one => texts.isClosed(one.reason)),
    ...(isBusyOutside ? [texts.isBusyOutside] : []),
    ...(isOpen ? [] : [texts.outsideHours]),
    ...(start < Date.now() ? [texts.inThePast] : []),
  ]
}
