// The life of a Participation. One table says which moves Update Participation allows and which mail each causes.

export const participationStates = ['RESERVED', 'REQUESTED', 'BOOKED', 'CANCELED', 'DELETED'] as const
export type ParticipationState = (typeof participationStates)[number]

type MailOfState = 'booked' | 'requested' | 'cancelled' | 'declined'

export const transitions: { from: ParticipationState; to: ParticipationState; mail: MailOfState | null }[] = [
  { from: 'RESERVED', to: 'BOOKED', mail: 'booked' },
  { from: 'REQUESTED', to: 'BOOKED', mail: 'booked' },
  { from: 'REQUESTED', to: 'CANCELED', mail: 'declined' },
  { from: 'BOOKED', to: 'CANCELED', mail: 'cancelled' },
  { from: 'RESERVED', to: 'CANCELED', mail: null },
  { from: 'DELETED', to: 'CANCELED', mail: null },
  { from: 'BOOKED', to: 'DELETED', mail: null },
]

/** The mail that a new Participation in this state causes. */
export const mailOnCreate: Record<ParticipationState, MailOfState | null> = {
  RESERVED: null,
  REQUESTED: 'requested',
  BOOKED: 'booked',
  CANCELED: 'cancelled',
  DELETED: null,
}

/** States that need a free place. */
export const takesPlace = (state: ParticipationState) =>
  state === 'RESERVED' || state === 'REQUESTED' || state === 'BOOKED'

type Move =
  | { kind: 'stays' }
  | { kind: 'moves'; mail: MailOfState | null }
  | { kind: 'never' }
  | { kind: 'not-from-here' }

/** Staying comes first, so that sending the same update again is always safe. */
export function moveParticipation(from: ParticipationState, to: ParticipationState): Move {
  if (from === to) return { kind: 'stays' }
  if (to === 'RESERVED' || to === 'REQUESTED') return { kind: 'never' }
  const transition = transitions.find(move => move.from === from && move.to === to)
  return transition ? { kind: 'moves', mail: transition.mail } : { kind: 'not-from-here' }
}
