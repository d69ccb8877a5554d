import { type ConsoleCaller, providersWith, roleAt } from '../../../callers.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { missingRight, notFound } from '../../../errors.ts'
import { hasRight, type Right, rights } from '../../../rules/access.ts'
import { isUuid } from '../../../rules/references.ts'

// The only check of what a logged-in caller may do. Each route declares the right it requires and whose data
// it is about; the handler receives what this check has found.

type Params = Record<string, string>
type Tenant = { providerId: number | null } | { crmId: number | null }

/** A record named in the path. Callers outside its tenant get 404, those without the right there get 403. */
export type Subject<Row> = {
  noun: string
  find(db: Queryable, uuid: string): Promise<Row | null>
  tenantOf(row: Row): Tenant
  /** The path parameter; `uuid` unless stated. */
  parameter?: string
  /** Names that are not uuids. */
  isName?(text: string): boolean
}

/** `everywhere`: all Providers where the caller has the right. `login`: the login's own role decides. */
// biome-ignore lint/suspicious/noExplicitAny: lists hold routes about every kind of record
export type Whose = Subject<any> | 'everywhere' | 'login'

/** The record; for `everywhere` the Providers, or null for all. */
export type FoundBy<W extends Whose> =
  W extends Subject<infer Row> ? Row : W extends 'everywhere' ? number[] | null : undefined

export type ConsoleAccess = {
  kind: 'console'
  right: Right
  whose: Whose
  /** API keys with this scope are accepted as well; they act as administrators of their CRM. */
  scope?: 'settings'
}

export async function permit<W extends Whose>(
  db: Queryable,
  { right, whose }: { right: Right; whose: W },
  caller: ConsoleCaller,
  params: Params,
): Promise<FoundBy<W>> {
  const found =
    typeof whose === 'string'
      ? permitAtOnce(right, whose, caller)
      : permitRecord(db, right, whose, caller, params)
  return (await found) as FoundBy<W>
}

function permitAtOnce(right: Right, whose: 'everywhere' | 'login', caller: ConsoleCaller) {
  const ids = whose === 'everywhere' ? providersWith(caller, right) : undefined
  refuseUnless(hasRight(caller.role, right) || Boolean(ids?.length), right)
  return ids
}

async function permitRecord<Row>(
  db: Queryable,
  right: Right,
  whose: Subject<Row>,
  caller: ConsoleCaller,
  params: Params,
) {
  const name = params[whose.parameter ?? 'uuid']!
  const row = (whose.isName ?? isUuid)(name) ? await whose.find(db, name) : null
  const role = row && roleIn(caller, whose.tenantOf(row))
  if (!role) throw notFound(whose.noun, name)
  refuseUnless(hasRight(role, right), right)
  return row
}

function roleIn(caller: ConsoleCaller, tenant: Tenant) {
  if ('providerId' in tenant) return roleAt(caller, tenant.providerId)
  return caller.roles === null || tenant.crmId === caller.crmId ? caller.role : null
}

function refuseUnless(isAllowed: boolean, right: Right) {
  if (!isAllowed) throw missingRight(rights[right])
}

/** A record that names its Provider. */
export const ofProvider = <Row extends { providerId: number | null }>(
  noun: string,
  find: Subject<Row>['find'],
): Subject<Row> => ({ noun, find, tenantOf: ({ providerId }) => ({ providerId }) })

/** A record that a request names beside the one in its path; it must belong to the same Provider. */
export async function recordAt<Row>(
  db: Queryable,
  { noun, find, tenantOf }: Subject<Row>,
  providerId: number,
  uuid: string,
): Promise<Row> {
  const row = isUuid(uuid) ? await find(db, uuid) : null
  const tenant = row && tenantOf(row)
  if (!tenant || !('providerId' in tenant) || tenant.providerId !== providerId) throw notFound(noun, uuid)
  return row
}
