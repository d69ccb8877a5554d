import { bookablesOf } from './bookables.ts'
import { minute, type Product, type Window } from './window.ts'

/** A time that staff can book at one Resource. */
export type StaffTime = {
  start: number
  end: number
  /** The group Appointment that the customer would join. */
  appointmentUuid: string | null
  capacityLeft: number
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
}

/**
 * Every free time at one Resource on the raster of its Timeslots, by the rules of the public list. Notice,
 * horizon and visibility limit consumers, not staff; Timeslots that are not public count as open.
 */
export function* staffTimesOf(window: Window, request: StaffTimesRequest): Generator<void, StaffTime[]> {
  const { now, from, to, moving, duration } = request
  const product = lasting(request.product, duration)
  const { bookables } = yield* bookablesOf(forStaff(window, product, moving), {
    now,
    wants: id => id === product.id,
    from,
    to,
  })
  return bookables
    .filter(one => one.appointment === null || moving === null)
    .map(({ start, end, appointment, capacityLeft }) => ({
      start,
      end: appointment || product.minDuration === null ? end : start + product.minDuration * minute,
      appointmentUuid: appointment?.uuid ?? null,
      capacityLeft,
    }))
}

const lasting = (product: Product, duration: number | null): Product =>
  duration === null ? product : { ...product, minDuration: duration, maxDuration: duration }

function forStaff(window: Window, product: Product, moving: string | null): Window {
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
    timeslots: window.timeslots.map(one => ({ ...one, bookable: true })),
    appointments: window.appointments
      .filter(one => one.uuid !== moving)
      .map(one => ({ ...one, open: one.capacity > 1 })),
  }
}
