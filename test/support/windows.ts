// Windows as the rules see them, with clock times on one Monday.

import { bookablesOf, type Listing, type ListOptions } from '../../src/rules/offers/bookables.ts'
import { spansOf } from '../../src/rules/offers/busy-spans.ts'
import {
  type Appointment,
  blockedSpan,
  type ChannelRules,
  type Product,
  type Timeslot,
  type Window,
} from '../../src/rules/offers/window.ts'

export const at = (time: string) => Date.parse(`2030-01-07T${time}:00Z`)

/** The evening before. */
export const now = Date.parse('2030-01-06T20:00:00Z')

export const productWith = (fields: Partial<Product> = {}): Product => ({
  id: 1,
  uuid: 'product-1',
  name: 'Talk',
  minDuration: null,
  maxDuration: null,
  leadTimeMinutes: null,
  followUpTimeMinutes: null,
  ...fields,
})

export const timeslotWith = (fields: Partial<Timeslot> = {}): Timeslot => ({
  id: 1,
  uuid: 'timeslot-1',
  start: at('08:00'),
  end: at('10:00'),
  raster: 30,
  capacity: 1,
  bookable: true,
  ...fields,
})

export const channelWith = (fields: Partial<ChannelRules> = {}): ChannelRules => ({
  visible: true,
  productIds: null,
  minimumNoticeMinutes: 0,
  horizonDays: null,
  showFull: false,
  ...fields,
})

/** With one free place and a buffer of this many minutes on both sides. */
export function appointmentAt(
  from: string,
  to: string,
  fields: Partial<Appointment> = {},
  buffer = 0,
): Appointment {
  const blocked = blockedSpan(at(from), at(to), { leadTimeMinutes: buffer, followUpTimeMinutes: buffer })
  return {
    id: 1,
    uuid: 'appointment-1',
    reference: 'appointment-1',
    timeslotUuid: 'timeslot-1',
    productId: 1,
    productName: null,
    start: at(from),
    end: at(to),
    blockedFrom: blocked.from,
    blockedTo: blocked.to,
    capacity: 1,
    taken: 0,
    open: true,
    holdUntil: null,
    ...fields,
  }
}

export const windowWith = (fields: Partial<Window> = {}): Window => ({
  archived: false,
  channel: channelWith(),
  products: [productWith()],
  timeslots: [timeslotWith()],
  appointments: [],
  closed: spansOf([]),
  ...fields,
})

/** Everything that is offered, in one run. */
export function listingOf(window: Window, options: ListOptions): Listing {
  return inOneGo(bookablesOf(window, options))
}

export function inOneGo<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
