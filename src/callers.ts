import type { Crm } from './db/setup/crms.ts'
import type { ProviderRow } from './db/setup/providers.ts'
import { hasRight, type LoginRole, type Right, type Role } from './rules/access.ts'
import type { Actor } from './rules/messages/events.ts'
import type { Service } from './service.ts'

// `id` identifies a caller wherever something is stored per caller.

/** The caller of API groups A and B: an API key of one CRM. */
export type CrmCaller = { id: string; crm: Crm; actor: Actor }

/** Operators run the service, administrators manage one CRM, staff the Providers they are attached to. */
export type ConsoleCaller = {
  id: string
  role: LoginRole
  /** The CRM of an administrator or staff member; null for operators. */
  crmId: number | null
  /** Their role at each Provider that they can see; null for operators, who see all. */
  roles: Map<number, Role> | null
  /** The uuids of a practitioner's Resources, by Provider. */
  ownResources: Record<number, string[]>
  /** False for a key that only changes settings: its answers omit names, addresses and numbers of people. */
  readsPeople: boolean
  /** The login; null for a token. */
  loginId: number | null
  actor: Actor
}

/** What an action needs to know of its caller, whichever API the call came through: who acts, and at which Provider. */
export type ProviderContext = { service: Service; actor: Actor; provider: ProviderRow }

type Whom = Pick<ConsoleCaller, 'role' | 'roles'>

/** The caller's role at a Provider; null if they must not learn that it exists. */
export const roleAt = ({ role, roles }: Whom, providerId: number | null): Role | null =>
  roles === null ? role : (providerId !== null && roles.get(providerId)) || null

/** For data inside a response that needs another right than the response itself. */
export function mayAt(caller: Whom, right: Right, providerId: number): boolean {
  const role = roleAt(caller, providerId)
  return role !== null && hasRight(role, right)
}

/** The Providers where the caller has this right; null for all. */
export const providersWith = ({ roles }: Whom, right: Right): number[] | null =>
  roles && [...roles].filter(([_key, role]) => hasRight(role, right)).map(([id]) => id)
