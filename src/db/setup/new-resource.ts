import type { Actor } from '../../rules/messages/events.ts'
import type { ProviderRow } from './providers.ts'
import type { MadeResource, ResourceValues } from './resources.ts'

/** A new Resource, with references resolved to ids. */
export type NewResource = {
  actor: Actor
  provider: ProviderRow
  values: ResourceValues
  products: number[]
}

/** Null if it was not created. */
export type Creation = MadeResource | null
