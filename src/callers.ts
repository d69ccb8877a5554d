import type { Crm } from './db/setup/crms.ts'
import type { Actor } from './rules/news/events.ts'

// `id` tells callers apart wherever something is kept for one of them.

/** Who calls groups A and B: an API key of one CRM. */
export type CrmCaller = { id: string; crm: Crm; actor: Actor }

/** Operators run the service, administrators look after one CRM, staff after the Providers they are attached to. */
type ConsoleRole = 'operator' | 'administrator' | 'staff'

export type ConsoleCaller = {
  id: string
  role: ConsoleRole
  /** Whose administrator or staff it is; null for operators. */
  crmId: number | null
  /** The Providers that they see; null: all. */
  providerIds: number[] | null
  /** Those that they own. */
  ownedIds: number[]
  /** The login; null for a token. */
  loginId: number | null
  actor: Actor
}
