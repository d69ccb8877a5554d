// All event kinds. A kind is a noun and a verb; the `subject` of an event is the id of the noun's row. Holds
// cause no events: there are thousands of them, and they promise nothing.

/** The verbs of each noun. */
const verbs = {
  appointment: ['created', 'moved', 'changed', 'cancelled', 'deleted'],
  participation: [
    'requested',
    'booked',
    'declined',
    'cancelled',
    'moved',
    'changed',
    'deleted',
    'attended',
    'missed',
    'reminded',
    'messaged',
  ],
  customer: ['created', 'changed', 'merged', 'unmerged', 'erasure_requested', 'erased'],
  waiting: ['joined', 'changed', 'offered', 'taken', 'declined', 'lapsed', 'left', 'ended'],
  timeslot: ['created', 'changed', 'deleted'],
  resource: ['created', 'changed', 'extended', 'deleted'],
  product: ['created', 'changed', 'deleted'],
  question: ['created', 'changed', 'deleted'],
  provider: ['created', 'changed', 'deleted'],
  staff: ['added', 'changed', 'removed'],
  user: ['created', 'changed', 'deleted'],
  account: ['created', 'changed', 'deleted'],
  profile: ['changed', 'removed'],
  mail: ['failed', 'purged'],
  webhook: ['created', 'changed', 'removed', 'disabled'],
  key: ['created', 'revoked'],
  calendar: ['connected', 'changed', 'removed', 'imported', 'stale', 'recovered', 'rewritten'],
  settings: ['changed'],
} as const

type Verbs = typeof verbs
export type EventNoun = keyof Verbs
export type EventKind = { [Noun in EventNoun]: `${Noun}.${Verbs[Noun][number]}` }[EventNoun]

export const eventKinds = Object.entries(verbs).flatMap(([noun, all]) =>
  all.map(verb => `${noun}.${verb}`),
) as EventKind[]

export const nounOf = (kind: EventKind) => kind.split('.')[0] as EventNoun

/**
 * What caused the event: an API key (its prefix), a console user (their uuid), a consumer, the service, or an agent that books
 * directly (the prefix of its key).
 */
export type Actor = { kind: (typeof actorKinds)[number]; name: string | null }

export const actorKinds = ['key', 'console', 'consumer', 'service', 'agent'] as const

export const consumerActor: Actor = { kind: 'consumer', name: null }
/** A consumer who confirms what an agent proposed. */
export const proposedActor: Actor = { kind: 'consumer', name: 'agent' }
export const serviceActor: Actor = { kind: 'service', name: null }
/** An operator, at the command line. */
export const commandLineActor: Actor = { kind: 'service', name: 'command line' }

export const eventNouns = Object.keys(verbs) as EventNoun[]
