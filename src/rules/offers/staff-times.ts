import { type Bookable, bookablesOf } from './bookables.ts'
import { busySpansOf, spansOf } from './busy-spans.ts'
import { joinRefusal, type Refused, takeRefusal } from './slots.ts'
import {
  type Appointment,
  minute,
  offeredProducts,
  type Product,
  productToJoin,
  type Span,
  type Timeslot,
  type Window,
} from './window.ts'

/** A time that staff can book at one Resource. */
export type StaffTime = {
  start: number
  end: number
  /** The group Appointment that the customer would join. */
  appointmentUuid: string | null
  capacityLeft: number
  /** Why the public list does not offer it; null if it does. */
  notPublic: Refused['reason'] | null
}

export type StaffTimesRequest = {
  product: Product
  now: number
  /** Starts from here ... */
  from: number
  /** ... and before here. */
  to: number
  /** Minutes; null for the length of the Product. */
  duration: number | null
  /** The Appointment that is moved: it does not conflict with itself, and joins no group. */
  moving: string | null
  /** Also times in closures and in busy times of external calendars. */
  includeClosed?: boolean
  /** Whether a time is asked for, such as one on a Tuesday after 17:00 ... */
  wants?: (time: { start: number; end: number }) => boolean
  /** ... and where such times can start, in order, so that the rest is not searched. */
  within?: Span[]
  /** Called for each time that is asked for, in order: whether it is part of the answer. */
  keep?: (start: number) => boolean
}

/**
 * Every free time at one Resource on the raster of its Timeslots, by the rules of the public list. Notice,
 * horizon and visibility limit consumers, not staff; Timeslots that are not public count as open. Each time
 * that goes beyond the public list says why.
 */
export function* staffTimesOf(window: Window, request: StaffTimesRequest): Generator<void, StaffTime[]> {
  const { now, from, to, moving, wants, keep = () => true } = request
  const product = lasting(request.product, request.duration)
  const { bookables } = yield* bookablesOf(forStaff(window, product, request), {
    now,
    wants: id => id === product.id,
    from,
    to,
  })
  const asPublic = publicTimes(window, request, product.minDuration)
  const found: StaffTime[] = []
  for (const [index, one] of bookables.entries()) {
    if (index % timesAtOnce === timesAtOnce - 1) yield
    if (one.appointment !== null && moving !== null) continue
    const { start, appointment } = one
    // A wish depends on the end, which takes longer to find.
    if (!wants && !keep(start)) continue
    const time = { start, appointmentUuid: appointment?.uuid ?? null, ...asPublic(one) }
    if (wants && !(wants(time) && keep(start))) continue
    found.push(time)
  }
  return found
}

/** Times between two yields. */
const timesAtOnce = 100

const lasting = (product: Product, duration: number | null): Product =>
  duration === null ? product : { ...product, minDuration: duration, maxDuration: duration }

const nothing = spansOf<never>([])

function forStaff(
  window: Window,
  product: Product,
  { moving, includeClosed, within }: StaffTimesRequest,
): Window {
  return {
    ...window,
    channel: {
      visible: true,
      productIds: null,
      minimumNoticeMinutes: 0,
      horizonDays: null,
      showFull: false,
    },
    products: [product],
    unlinked: [],
    timeslots: window.timeslots.flatMap(one => openPart(one, within)),
    appointments: window.appointments
      .filter(one => one.uuid !== moving)
      .map(one => ({ ...one, open: one.open || one.capacity > 1 })),
    ...(includeClosed ? { closed: nothing, outside: nothing } : {}),
  }
}

/** As open, from the first line of its raster that can be asked for. */
function openPart(timeslot: Timeslot, within: Span[] | undefined): Timeslot[] {
  const open = { ...timeslot, bookable: true }
  if (!within) return [open]
  const asked = within.find(({ from, to }) => from < timeslot.end && to > timeslot.start)
  if (!asked) return []
  const step = timeslot.raster * minute
  const skipped = Math.max(0, Math.ceil((asked.from - timeslot.start) / step))
  return [{ ...open, start: timeslot.start + skipped * step }]
}

type PublicTime = Pick<StaffTime, 'end' | 'capacityLeft' | 'notPublic'>

/**
 * Asks the rules of the public list about times that staff can book. `length` is in minutes; null for one step
 * of the raster.
 */
function publicTimes(
  loaded: Window,
  { product: { id }, moving, now }: StaffTimesRequest,
  length: number | null,
) {
  const window = { ...loaded, appointments: loaded.appointments.filter(one => one.uuid !== moving) }
  const busy = busySpansOf(window.appointments)
  const product = offeredProducts(window).find(one => one.id === id)
  const byUuid = new Map(window.timeslots.map(one => [one.uuid, one]))
  return ({ start, end, appointment, timeslotUuid, capacityLeft }: Bookable): PublicTime => {
    if (appointment) return { end, capacityLeft, notPublic: whyNotJoined(window, appointment, now) }
    const endIn = ({ raster }: Timeslot) => start + (length ?? raster) * minute
    const timeIn = (timeslot: Timeslot, notPublic: PublicTime['notPublic']) => ({
      end: endIn(timeslot),
      capacityLeft: timeslot.capacity,
      notPublic,
    })
    const found = byUuid.get(timeslotUuid)!
    if (!window.channel.visible) return timeIn(found, 'channel')
    if (!product) return timeIn(found, 'product')
    const refusedIn = (timeslot: Timeslot) =>
      takeRefusal(window, busy, { timeslot, product, start, end: endIn(timeslot) }, now)
    const refused = refusedIn(found)
    if (!refused) return timeIn(found, null)
    // Another Timeslot may offer the same start to the public, with fewer places or a shorter step.
    const isAt = (one: Timeslot) => one.start <= start && one.end > start
    const others = isOfTimeslot(refused) ? window.timeslots.filter(one => isAt(one) && !refusedIn(one)) : []
    const [best] = others.sort((one, other) => other.capacity - one.capacity)
    return best ? timeIn(best, null) : timeIn(found, refused.reason)
  }
}

const isOfTimeslot = ({ reason }: Refused) =>
  ['not-bookable', 'capacity', 'raster', 'rest', 'duration', 'taken', 'buffer', 'closed', 'busy'].includes(
    reason,
  )

/** The Appointment as it is; staff see it as open. */
function whyNotJoined(window: Window, { uuid }: Appointment, now: number): Refused['reason'] | null {
  const appointment = window.appointments.find(one => one.uuid === uuid)!
  const product = productToJoin(window, appointment)
  if (!product) return 'product'
  return joinRefusal(window, appointment, product, now)?.reason ?? null
}
