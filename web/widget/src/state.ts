import type { Created, Product, PublicData } from '#shared/api-types.ts'
import type { Day, Month } from '#shared/dates.ts'
import { type FieldErrors, type Fields, noFields } from '#shared/fields.ts'
import { byDay, choices, freeCount, isSame, type Slot, type Span } from '#shared/slots.ts'
import { monthBounds } from '#shared/zones.ts'
import type { Problem } from './problems.ts'
import { isCovered } from './spans.ts'

export type Step = 'loading' | 'closed' | 'product' | 'time' | 'form' | 'done'

/** Why nothing can be booked here. */
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

/** A time that the visitor holds in another tab. */
export type HeldElsewhere = { slot: Slot; placeholder: string }

export type Booked = {
  status: 'confirmed' | 'requested' | 'cancelled'
  start: number
  end: number
  product: string
  resource: string
  provider: string
  /** The person or place, as the facts name it. */
  who: string
  place: string | null
  /** It was still a request when it was cancelled. */
  isWithdrawn?: boolean
  /** The previous time of a booking that was moved or is to be. */
  before: number | null
  email: string
  /** The address was corrected, or it is too late for that. */
  settled?: boolean
  cancelLink: string
  moveLink: string
  /** The address of the confirmation page. */
  page: string
  /** The dates of a series; each has a page of its own. */
  all: Created[] | undefined
}

/** The booking that is being moved. */
export type Moving = {
  start: number
  end: number
  product: string | null
  /** What the booking has no answer to. */
  questions: unknown[]
  isRequest: boolean
  /**
   * The start of the requested new time. Until the provider answers, the visitor may choose the current time
   * again.
   */
  asked: number | null
  /** Past the deadline for online changes. */
  isLate: boolean
  /** Labels for the current time, before and after the move, and for the requested one. */
  name: string
  before: string
  askedName: string
  /** The label of the link to choose yet another time. */
  other: string
  /** Says what happens to the booking if the request to move it is withdrawn. */
  stays: string
}

/** A notice next to the form or the times. */
export type Notice = { kind: 'held-again' } | { kind: 'expired' } | { kind: 'lost'; nearest: Slot[] | null }

export type State = {
  step: Step
  closed: Closed | null
  /** The pending action of the visitor. */
  busy: 'hold' | 'book' | 'cancel' | 'correct' | 'links' | null
  problem: Problem | null
  notice: Notice | null
  places: PublicData[]
  products: Product[]
  /** The selected Resource; null if any will do. */
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
  /** The visitor's holds in other tabs. */
  elsewhere: HeldElsewhere[]
  /** The slot being released. */
  leaving: Slot | null
  /** Of the last hold, also after its release: releasing may take longer than holding again. */
  placeholder: string | undefined
  /** A hold was requested and no answer came: the time may be held under that placeholder. */
  isUnanswered: boolean
  moving: Moving | null
  /** If no emails are sent: the label of the link that visitors keep. */
  kept: string | null
  fields: Fields
  errors: FieldErrors
  /** The suggested correction of the address. */
  meant: string | null
  /** The address that the links to a booking were sent to. */
  linksTo: string | null
  agreed: boolean
  mustAgree: boolean
  booked: Booked | null
  /** Rises with each answer that reports invalid fields, and with each hold that the visitor requested. */
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
  elsewhere: [],
  leaving: null,
  placeholder: undefined,
  isUnanswered: false,
  moving: null,
  kept: null,
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

/** The Resource of the slot, the selected one, or the only one. */
export function shownPlace(state: State): PublicData | null {
  const uuid = state.slot?.resource ?? state.resource
  return state.places.find(one => one.resource.uuid === uuid) ?? state.places[0] ?? null
}

/**
 * A time that the visitor holds in another tab is available to them. That tab may show another Resource or
 * Product.
 */
function withOwn({ slots, elsewhere, places, product }: State): Slot[] {
  const isMissing = (own: Slot) =>
    places.some(one => one.resource.uuid === own.resource) &&
    (!own.product || !product || own.product === product) &&
    !slots.some(slot => isSame(slot, own))
  const own = elsewhere.map(one => one.slot).filter(isMissing)
  return own.length > 0 ? [...slots, ...own].sort((a, b) => a.start - b.start) : slots
}

export const offered = (state: State): Slot[] => choices(withOwn(state), state.resource)

export const daysOf = (state: State) => byDay(offered(state), state.zone)

/** The first known available time from an instant on. */
export const nextFree = (state: State, from: number): Slot | null =>
  offered(state).find(slot => slot.start >= from && freeCount([slot]) > 0) ?? null

/** The next available time; if it is known that none follows, the first one. */
export function onward(state: State, from: number, now: number): Slot | null {
  return nextFree(state, from) ?? (isLast(state, from) ? nextFree(state, now) : null)
}

export const monthSpan = ({ month, zone }: Pick<State, 'month' | 'zone'>, count = 1) =>
  monthBounds(month, zone, count)

/** True if it is known that nothing is on offer from this instant on. */
export const isLast = (state: State, from: number): boolean =>
  isCovered(state.covered, { from, to: Number.POSITIVE_INFINITY }) && !nextFree(state, from)

export const asksForRequest = (state: State) =>
  state.moving?.isRequest || shownPlace(state)?.channel.bookingProcess === 'REQUESTED'

/** True past the deadline for online changes: the widget must not promise what the links would refuse. */
export const isTooLate = (state: State, { start }: { start: number }, now: number): boolean =>
  start - shownPlace(state)!.channel.changeNoticeMinutes * 60_000 <= now
