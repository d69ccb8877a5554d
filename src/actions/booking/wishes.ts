import type { Left } from '../../db/booking/moves.ts'
import type { BookerContact } from '../../db/booking/people.ts'
import type { Target } from '../../db/booking/targets.ts'
import type { ResourceWindow } from '../../db/booking/windows.ts'
import type { Language } from '../../languages.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import type { Placement } from '../../rules/offers/slots.ts'
import type { Span } from '../../rules/offers/window.ts'

// What consumers ask for, and what they get.

export type ReserveRequest = {
  /** That of the path, and a Resource or channel named beside it. */
  refs: string[]
  channelKey: ChannelKey
  timeslotUuid: string | null
  appointmentUuid: string | null
  productUuid: string
  /**
   * The times as they may have been meant, the likelier reading first; the Provider's zone decides. A reading has
   * several spans where the clock strikes an hour twice.
   */
  readings: (zone: string) => Span[][]
  /** The earliest and the latest moment that a reading can give. */
  period: Span
  /** The caller's earlier hold, which this one replaces. */
  placeholder: string | null
  /** What the caller wants to call it, perhaps as the earlier one: whoever never hears the answer knows it all the same. */
  newPlaceholder: string | null
  /** The uuid of the Participation that they mean to move here: it is not in its own way. */
  moving: string | null
  /** Who asks, for the cap on live holds; null when nobody counts. */
  client: string | null
}

export type ReserveWish = ReserveRequest & {
  target: Target
  /** Chosen before anything is asked for: whoever must ask again asks for the same hold. */
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

export type CompleteWish = {
  refs: string[]
  channelKey: ChannelKey
  /** The uuid of the Timeslot or of the Appointment. */
  targetUuid: string
  productUuid: string | null
  /** True instants, read in the Provider's zone where they name none. */
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
  /** Who asks, for the limits that clients share; null when nobody counts. */
  client: string | null
  message: string | null
  language: string | null
  /** Region and zone in which the consumer sees the times. */
  locale: string | null
  timeZone: string | null
  /** To the Provider's terms. */
  hasAgreed: boolean
  /** Equal for equal requests: a repeated one is answered like the first. */
  digest: string
}

export type TargetedWish = CompleteWish & {
  target: Target
  contact: BookerContact | null
  /** That of the booking, unless a hold becomes it: whoever must ask again asks for the same one. */
  bookingUuid: string
}

/** Where somebody who is booked wants to be instead. */
export type MoveWish = Pick<
  CompleteWish,
  'refs' | 'targetUuid' | 'productUuid' | 'start' | 'end' | 'placeholder' | 'client'
> & {
  /** When their booking begins, as they see it; null: they do not say. */
  oldStart: number | null
  /** When the wish came in, by performance.now(). */
  arrived: number
}

/** Together with what the link says: the uuid of the Participation. */
export type LinkedMoveWish = MoveWish & { uuid: string }

/** What was booked, as it is kept for a repeated request. */
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
  state: 'BOOKED' | 'REQUESTED'
  cancelLink: string
  moveLink: string
  confirmationLink: string
  contactChannel: { type: string; value: string } | null
}

/** `before`: what they left. `who`: the Participations that have another time now. */
export type Moved = { completion: Completion; before: Left; who: number[] }
