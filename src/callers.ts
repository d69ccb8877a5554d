import type { Crm } from './db/setup/crms.ts'
import type { Actor } from './rules/messages/events.ts'

// `id` identifies a caller wherever something is stored per caller.

/** The caller of API groups A and B: an API key of one CRM. */
export type CrmCaller = { id: string; crm: Crm; actor: Actor }

/** Operators run the service, administrators manage one CRM, staff the Providers they are attached to. */
type ConsoleRole = 'operator' | 'administrator' | 'staff'

export type ConsoleCaller = {
  id: string
  role: ConsoleRole
  /** The CRM of an administrator or staff member; null for operators. */
  crmId: number | null
  /** The Providers that they can see; null for all. */
  providerIds: number[] | null
  /** The Providers that they own. */
  ownedIds: number[]
  /** False for a key that only changes settings: its answers omit names, addresses and numbers of people. */
  readsPeople: boolean
  /** The login; null for a token. */
  loginId: number | null
  actor: Actor
}
