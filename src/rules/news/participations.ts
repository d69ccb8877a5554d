import type { EventKind } from './events.ts'

// The life of a Participation. One table says which moves Update Participation allows and what has happened then.

export const participationStates = ['RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED'] as const
export type ParticipationState = (typeof participationStates)[number]

/** Whether somebody who was booked came. Beside the state, which it never changes. */
export const attendances = ['ATTENDED', 'MISSED'] as const
export type Attendance = (typeof attendances)[number]

type Transition = {
  from: ParticipationState
  to: ParticipationState
  /** Null for a hold: nothing was promised. */
  event: EventKind | null
  /** Whoever was removed without a word is not written to either. */
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

/** What has happened when a Participation is made in this state. */
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

/** Staying comes first, so that sending the same update again is always safe. */
export function moveParticipation(from: ParticipationState, to: ParticipationState): Move {
  if (from === to) return { kind: 'stays' }
  if (to === 'RESERVED' || to === 'REQUESTED') return { kind: 'never' }
  const transition = transitions.find(move => move.from === from && move.to === to)
  if (!transition) return { kind: 'not-from-here' }
  return { kind: 'moves', event: transition.event, quiet: transition.quiet ?? false }
}
