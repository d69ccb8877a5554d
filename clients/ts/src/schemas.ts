import type { components } from './schema.ts'

/** What the service takes and answers, by name: Schemas['Timeslot']. */
export type Schemas = components['schemas']
