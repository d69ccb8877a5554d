import type { Actor } from './db/audit.ts'
import type { Crm } from './db/setup/crms.ts'

// `id` tells callers apart wherever something is kept for one of them.

/** Who calls groups A and B: an API key of one CRM. */
export type CrmCaller = { id: string; crm: Crm; actor: Actor }

/** Who calls the console API. Staff see their own Providers only: providerIds; operators see all: null. */
export type ConsoleCaller = {
  id: string
  role: 'operator' | 'staff'
  providerIds: number[] | null
  actor: Actor
}
