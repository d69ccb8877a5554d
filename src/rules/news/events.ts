// Everything that can happen, in one list. Each kind is a noun and what became of it; `subject` of an event is the id of
// that noun's row. Holds are no events: they come and go by the thousand and promise nothing to anybody.

/** What became of each noun. */
const verbs = {
  appointment: ['created', 'moved', 'changed', 'cancelled', 'deleted'],
  participation: [
    'requested',
    'booked',
    'declined',
    'cancelled',
    'moved',
    'deleted',
    'attended',
    'missed',
    'reminded',
  ],
  customer: ['created', 'changed', 'erased'],
  timeslot: ['created', 'changed', 'deleted'],
  resource: ['created', 'changed', 'deleted'],
  product: ['created', 'changed', 'deleted'],
  provider: ['created', 'changed'],
  staff: ['added', 'removed'],
  user: ['created', 'changed'],
  account: ['created'],
  profile: ['changed', 'removed'],
  mail: ['failed', 'purged'],
  webhook: ['created', 'changed', 'removed', 'disabled'],
  key: ['created', 'revoked'],
  settings: ['changed'],
} as const

type Verbs = typeof verbs
export type EventNoun = keyof Verbs
export type EventKind = { [Noun in EventNoun]: `${Noun}.${Verbs[Noun][number]}` }[EventNoun]

export const eventKinds = Object.entries(verbs).flatMap(([noun, all]) =>
  all.map(verb => `${noun}.${verb}`),
) as EventKind[]

export const nounOf = (kind: EventKind) => kind.split('.')[0] as EventNoun

/** Who did it: an API key (its prefix), somebody in the console (their uuid), a consumer, or the service by itself. */
export type Actor = { kind: 'key' | 'console' | 'consumer' | 'service'; name: string | null }

export const aConsumer: Actor = { kind: 'consumer', name: null }
export const theService: Actor = { kind: 'service', name: null }
/** Whoever runs the service, at its own machine. */
export const theCommandLine: Actor = { kind: 'service', name: 'command line' }

export const eventNouns = Object.keys(verbs) as EventNoun[]
