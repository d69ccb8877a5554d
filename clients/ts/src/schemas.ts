import type { components } from './schema.ts'

/** Request and response types by name: Schemas['Timeslot']. */
export type Schemas = components['schemas']
