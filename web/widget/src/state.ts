import type { Product, PublicData } from '#shared/api-types.ts'
import type { Day, Month } from '#shared/dates.ts'
import { type FieldErrors, type Fields, noFields } from '#shared/fields.ts'
import { byDay, choices, freeCount, type Slot, type Span } from '#shared/slots.ts'
import { monthBounds } from '#shared/zones.ts'
import type { Problem } from './problems.ts'
import { isCovered } from './spans.ts'

export type Step = 'loading' | 'closed' | 'product' | 'time' | 'form' | 'done'

/** Why there is nothing to do here. */
export type Closed = 'hidden' | 'archived' | 'nothing' | 'unknown' | 'late'

export type Hold = {
  slot: Slot
  placeholder: string
  timeslot: string
  appointment: string
  product: string
  expiresAt: number
  place: string | null
}

export type Booked = {
  status: 'confirmed' | 'requested' | 'cancelled'
  start: number
  end: number
  product: string
  resource: string
  provider: string
  /** Whom one meets, as the facts call them. */
  who: string
  place: string | null
  email: string
  /** The address was put right, or it is too late for that. */
  settled?: boolean
  cancelLink: string
  moveLink: string
  /** The confirmation as a page of its own. */
  page: string
}

/** The booking that gets another time. */
export type Moving = {
  start: number
  end: number
  product: string | null
  isRequest: boolean
  /** When the time that they have asked for instead begins. Until that is answered, they may want this one back. */
  asked: number | null
  /** So close that it takes a call. */
  isLate: boolean
  /** What its time is called beside the new one, and the one that was asked for. */
  name: string
  askedName: string
  /** The way to yet another time. */
  other: string
}

/** Something to tell beside the form or the times. */
export type Notice = { kind: 'held-again' } | { kind: 'expired' } | { kind: 'lost'; nearest: Slot[] | null }

export type State = {
  step: Step
  closed: Closed | null
  /** Waiting for an answer to what the visitor did. */
  busy: 'hold' | 'book' | 'cancel' | 'correct' | 'links' | null
  problem: Problem | null
  notice: Notice | null
  places: PublicData[]
  products: Product[]
  /** Chosen resource; null when any will do. */
  resource: string | null
  product: string | null
  zone: string
  today: Day
  month: Month
  day: Day | null
  slots: Slot[]
  covered: Span[]
  refreshing: boolean
  slot: Slot | null
  hold: Hold | null
  /** What is being given back. */
  leaving: Slot | null
  /** Of the last hold, also when it was given back: giving back may take longer than holding again. */
  placeholder: string | undefined
  /** A time was asked for, and no answer came: it may be held under that name. */
  isUnheard: boolean
  moving: Moving | null
  fields: Fields
  errors: FieldErrors
  /** The address that was perhaps meant. */
  meant: string | null
  /** Where the links to a booking were sent once more. */
  linksTo: string | null
  agreed: boolean
  mustAgree: boolean
  booked: Booked | null
  /** Rises with each answer that finds fields wanting, and with each hold that the visitor asked for. */
  attempt: number
  holds: number
  announcement: string
}

export const initialState: State = {
  step: 'loading',
  closed: null,
  busy: null,
  problem: null,
  notice: null,
  places: [],
  products: [],
  resource: null,
  product: null,
  zone: 'UTC',
  today: '',
  month: '',
  day: null,
  slots: [],
  covered: [],
  refreshing: false,
  slot: null,
  hold: null,
  leaving: null,
  placeholder: undefined,
  isUnheard: false,
  moving: null,
  fields: noFields,
  errors: {},
  meant: null,
  linksTo: null,
  agreed: false,
  mustAgree: false,
  booked: null,
  attempt: 0,
  holds: 0,
  announcement: '',
}

export const chosenProduct = (state: State) => state.products.find(one => one.uuid === state.product) ?? null

/** The resource that a slot belongs to, the chosen one, or the only one. */
export function shownPlace(state: State): PublicData | null {
  const uuid = state.slot?.resource ?? state.resource
  return state.places.find(one => one.resource.uuid === uuid) ?? state.places[0] ?? null
}

export const offered = (state: State): Slot[] => choices(state.slots, state.resource)

export const daysOf = (state: State) => byDay(offered(state), state.zone)

/** The first free time from an instant on, as far as is known. */
export const nextFree = (state: State, from: number): Slot | null =>
  offered(state).find(slot => slot.start >= from && freeCount([slot]) > 0) ?? null

/** Where times go on, seen from a moment without any: later, or from the beginning once it is known that nothing follows. */
export function onward(state: State, from: number, now: number): Slot | null {
  const isLast = isCovered(state.covered, { from, to: Number.POSITIVE_INFINITY })
  return nextFree(state, from) ?? (isLast ? nextFree(state, now) : null)
}

export const monthSpan = ({ month, zone }: Pick<State, 'month' | 'zone'>, count = 1) =>
  monthBounds(month, zone, count)

/** Nothing is offered after the shown month, and that is known. */
export function isLastMonth(state: State): boolean {
  const from = monthSpan(state).to
  return isCovered(state.covered, { from, to: Number.POSITIVE_INFINITY }) && !nextFree(state, from)
}

export const asksForRequest = (state: State) =>
  state.moving?.isRequest || shownPlace(state)?.channel.bookingProcess === 'REQUESTED'
