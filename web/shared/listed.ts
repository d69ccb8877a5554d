import type { Bookable } from './api-types.ts'

export type Listed = { visible: boolean; bookables: Bookable[] }

/** The answer to a list, without its groups. */
export function listOf(groups: Record<string, Bookable[] | boolean>): Listed {
  const lists = Object.values(groups).filter(value => Array.isArray(value))
  return { visible: groups.public_visible !== false, bookables: lists.flat() }
}
