import type { PreviousPlace } from '../../db/booking/moves.ts'
import type { BookerContact } from '../../db/booking/people.ts'
import type { Target } from '../../db/booking/targets.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import type { Language } from '../../languages.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import type { Placement } from '../../rules/offers/slots.ts'
import type { Span } from '../../rules/offers/window.ts'
import type { SentAnswers } from '../../rules/questions/sent.ts'

// Requests of consumers and their results.

export type ReserveRequest = {
  /** The ref of the path, and a Resource or channel named in the body. */
  refs: string[]
  channelKey: ChannelKey
  timeslotUuid: string | null
  appointmentUuid: string | null
  productUuid: string
  /**
   * The possible readings of the times, the most likely first; they depend on the Provider's zone. A reading
   * has several spans where the clock goes back.
   */
  readings: (zone: string) => Span[][]
  /** The earliest and the latest instant of all readings. */
  period: Span
  /** The caller's earlier hold, which this one replaces. */
  placeholder: string | null
  /**
   * The placeholder that the caller chose, possibly the same as before: it is known to the caller even if no
   * answer arrives.
   */
  newPlaceholder: string | null
  /** The uuid of the Participation to move here: it does not conflict with itself. */
  moving: string | null
  /** How many places; for a move, as many as the booking has. */
  places: number
  /** The client, for the cap on live holds; null if it is not counted. */
  client: string | null
}

export type PreparedReserve = ReserveRequest & {
  target: Target
  /** Chosen before the first attempt, so that a retry makes the same hold. */
  hold: { uuid: string; placeholder: string }
}

export type Reserved = {
  loaded: ResourceWindow
  placement: Placement
  participationUuid: string
  appointmentUuid: string
  placeholder: string
  expiresAt: number
  address: unknown
}

export type CompleteRequest = {
  refs: string[]
  channelKey: ChannelKey
  /** The uuid of the Timeslot or of the Appointment. */
  targetUuid: string
  productUuid: string | null
  /** Instants; times without an offset were read in the Provider's zone. */
  start: number
  end: number
  placeholder: string | null
  consumer: {
    email: string
    firstName: string
    lastName: string
    mobile: string | null
    mobileKey: string | null
  } | null
  customerReference: string | null
  /** The client, for the shared limits; null if it is not counted. */
  client: string | null
  message: string | null
  language: string | null
  /** Region and zone in which the consumer sees the times. */
  locale: string | null
  timeZone: string | null
  /** Agreed to the Provider's terms. */
  hasAgreed: boolean
  /** How many places; null for those of the hold, else one. */
  places: number | null
  /** Who takes them. */
  placeNames: string[]
  /** Answers to the questions of the Product. */
  sent: SentAnswers
  /** Equal for equal requests, so that a repeated one gets the first answer. */
  digest: string
}

export type TargetedRequest = CompleteRequest & {
  target: Target
  contact: BookerContact | null
  /**
   * The uuid of the booking, unless a hold becomes it. Chosen before the first attempt, so that a retry makes
   * the same one.
   */
  bookingUuid: string
}

/** The place that a booking moves to. */
export type MoveRequest = Pick<
  CompleteRequest,
  'refs' | 'targetUuid' | 'productUuid' | 'start' | 'end' | 'placeholder' | 'client'
> & {
  /** Answers to what the new Product asks in addition, by key; null if not sent. */
  answers: Record<string, unknown> | null
  /** In which the questions were asked. */
  language: Language | null
  /** The start of the booking as the caller sees it; null if not sent. */
  oldStart: number | null
  /** When the request arrived, by performance.now(). */
  arrived: number
  /** The staff member who acts for the customer; null if the customer does. */
  actor: Actor | null
}

/** With the uuid of the Participation from the link. */
export type LinkedMoveRequest = MoveRequest & { uuid: string }

/** What was booked, as stored for a repeated request. */
export type Completion = {
  appointmentUuid: string
  timeslotUuid: string
  productUuid: string
  productName: string
  resourceUuid: string
  resourceName: string
  start: number
  end: number
  timeZone: string
  language: Language
  capacity: number
  capacityLeft: number
  places: number
  state: 'BOOKED' | 'REQUESTED'
  cancelLink: string
  moveLink: string
  confirmationLink: string
  answersMissing: boolean
  /** Set while answers are missing. */
  answersLink: string | null
  contactChannel: { type: string; value: string } | null
}

/** `before`: the place that was left. `who`: the Participations whose time changed. */
export type Moved = { completion: Completion; before: PreviousPlace; who: number[] }
