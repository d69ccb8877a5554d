import type { EventKind } from '../messages/events.ts'

// The states of a Participation. One table says which transitions Update Participation allows, and which
// events they cause.

export const participationStates = ['RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED'] as const
export type ParticipationState = (typeof participationStates)[number]

/** Whether a booked person came. Independent of the state. */
export const attendances = ['ATTENDED', 'MISSED'] as const
export type Attendance = (typeof attendances)[number]

type Transition = {
  from: ParticipationState
  to: ParticipationState
  /** Null for a hold: it promises nothing. */
  event: EventKind | null
  /** Sends no email: the person is removed without notice. */
  quiet?: true
}

export const transitions: Transition[] = [
  { from: 'RESERVED', to: 'BOOKED', event: 'participation.booked' },
  { from: 'REQUESTED', to: 'BOOKED', event: 'participation.booked' },
  { from: 'REQUESTED', to: 'CANCELED', event: 'participation.declined' },
  { from: 'BOOKED', to: 'CANCELED', event: 'participation.cancelled' },
  { from: 'RESERVED', to: 'CANCELED', event: null },
  { from: 'DELETED', to: 'CANCELED', event: 'participation.cancelled', quiet: true },
  { from: 'BOOKED', to: 'DELETED', event: 'participation.deleted' },
]

/** The event caused by creating a Participation in this state. */
export const eventOnCreate: Record<ParticipationState, EventKind | null> = {
  RESERVED: null,
  REQUESTED: 'participation.requested',
  BOOKED: 'participation.booked',
  CANCELED: 'participation.cancelled',
  DELETED: 'participation.deleted',
}

/** States that need a free place. */
export const takesPlace = (state: ParticipationState) =>
  state === 'RESERVED' || state === 'REQUESTED' || state === 'BOOKED'

type Move =
  | { kind: 'stays' }
  | { kind: 'moves'; event: EventKind | null; quiet: boolean }
  | { kind: 'never' }
  | { kind: 'not-from-here' }

/** Staying in a state is checked first, so that repeating an update is always safe. */
export function moveParticipation(from: ParticipationState, to: ParticipationState): Move {
  if (from === to) return { kind: 'stays' }
  if (to === 'RESERVED' || to === 'REQUESTED') return { kind: 'never' }
  const transition = transitions.find(move => move.from === from && move.to === to)
  if (!transition) return { kind: 'not-from-here' }
  return { kind: 'moves', event: transition.event, quiet: transition.quiet ?? false }
}
