import type { Actor } from '../../rules/news/events.ts'
import type { ProviderRow } from './providers.ts'
import type { MadeResource, ResourceValues } from './resources.ts'

/** A Resource that is new, with what others named by reference as ids. */
export type WantedResource = {
  actor: Actor
  provider: ProviderRow
  values: ResourceValues
  products: number[]
}

/** Null: it was not made. */
export type Creation = MadeResource | null
