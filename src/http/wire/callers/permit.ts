import { type ConsoleCaller, type CrmCaller, providersWith, roleAt } from '../../../callers.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { findProvider, findProviderById, type ProviderRow } from '../../../db/setup/providers.ts'
import { missingRight, notFound } from '../../../errors.ts'
import { hasRight, isLimited, type Right, rights } from '../../../rules/access.ts'
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
  /** If it is a Provider. */
  isProvider?: true
  /** Whether it belongs to one of these Resources; without it, practitioners get 403. */
  isAt?(db: Queryable, row: Row, resources: string[]): boolean | Promise<boolean>
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
  /** The handler shows practitioners only what belongs to the Resources in `only`. */
  isFiltered?: boolean
  /** API keys with this scope are accepted as well; they act as administrators of their CRM. */
  scope?: 'settings'
}

type Access<W extends Whose> = { right: Right; whose: W; isFiltered?: boolean }

/**
 * `only`: the Resources that a practitioner may see; null for all. `provider`: the one that is found, or that the
 * record belongs to.
 */
export type Permitted<Found> = {
  found: Found
  only: string[] | null
  provider?: ProviderRow | null
}

export async function permit<W extends Whose>(
  db: Queryable,
  { right, whose, isFiltered }: Access<W>,
  caller: ConsoleCaller,
  params: Params,
): Promise<Permitted<FoundBy<W>>> {
  const permitted =
    typeof whose === 'string'
      ? { found: permitAtOnce(right, whose, caller), only: null }
      : await permitRecord(db, { right, whose: whose as Subject<unknown>, isFiltered }, caller, params)
  return permitted as Permitted<FoundBy<W>>
}

function permitAtOnce(right: Right, whose: 'everywhere' | 'login', caller: ConsoleCaller) {
  const ids = whose === 'everywhere' ? providersWith(caller, right) : undefined
  // The roles of staff are those at their Providers; a CRM may still have none.
  const byLogin = whose === 'login' || hasRight(caller.role, 'crm')
  refuseUnless((byLogin && hasRight(caller.role, right)) || Boolean(ids?.length), right)
  return ids
}

async function permitRecord<Row>(
  db: Queryable,
  { right, whose, isFiltered }: Omit<Access<Whose>, 'whose'> & { whose: Subject<Row> },
  caller: ConsoleCaller,
  params: Params,
): Promise<Permitted<Row>> {
  const name = params[whose.parameter ?? 'uuid']!
  const found = (whose.isName ?? isUuid)(name) ? await whose.find(db, name) : null
  const tenant = found && whose.tenantOf(found)
  const role = tenant && roleIn(caller, tenant)
  if (!found || !role) throw notFound(whose.noun, name)
  refuseUnless(hasRight(role, right), right)
  const only = isLimited(role) ? resourcesAt(caller, tenant) : null
  refuseUnless(only === null || isFiltered === true || whose.isAt !== undefined, right)
  if (only && whose.isAt && !(await whose.isAt(db, found, only))) throw notFound(whose.noun, name)
  const provider = whose.isProvider ? (found as unknown as ProviderRow) : await ownerOf(db, tenant)
  return { found, only, provider }
}

const resourcesAt = ({ ownResources }: ConsoleCaller, tenant: Tenant) =>
  ('providerId' in tenant && ownResources[tenant.providerId!]) || []

function roleIn(caller: ConsoleCaller, tenant: Tenant) {
  if ('providerId' in tenant) return roleAt(caller, tenant.providerId)
  return caller.roles === null || tenant.crmId === caller.crmId ? caller.role : null
}

const ownerOf = async (db: Queryable, tenant: Tenant) =>
  'providerId' in tenant && tenant.providerId !== null ? findProviderById(db, tenant.providerId) : null

function refuseUnless(isAllowed: boolean, right: Right) {
  if (!isAllowed) throw missingRight(rights[right])
}

/** A record that names its Provider. */
export const ofProvider = <Row extends { providerId: number | null }>(
  noun: string,
  find: Subject<Row>['find'],
): Subject<Row> => ({ noun, find, tenantOf: ({ providerId }) => ({ providerId }) })

/** A record that names its Provider and its Resource. */
export const ofResource = <Row extends { providerId: number; resourceUuid: string }>(
  noun: string,
  find: Subject<Row>['find'],
): Subject<Row> => ({
  ...ofProvider(noun, find),
  isAt: (_, { resourceUuid }, resources) => resources.includes(resourceUuid),
})

/**
 * A record that a request names beside the one in its path: of the same Provider and, for a practitioner, at
 * one of their Resources.
 */
export async function recordAt<Row>(
  db: Queryable,
  { noun, find, tenantOf, isAt }: Subject<Row>,
  providerId: number,
  uuid: string,
  only: string[] | null = null,
): Promise<Row> {
  const row = isUuid(uuid) ? await find(db, uuid) : null
  const tenant = row && tenantOf(row)
  if (!tenant || !('providerId' in tenant) || tenant.providerId !== providerId) throw notFound(noun, uuid)
  if (only && isAt && !(await isAt(db, row, only))) throw notFound(noun, uuid)
  return row
}

/** The Provider in the path of an integrator's request, or 404: a CRM never sees those of others. */
export async function providerOf(db: Queryable, { crm }: CrmCaller, reference: string): Promise<ProviderRow> {
  const provider = await findProvider(db, crm.id, reference)
  if (!provider) throw notFound('Provider', reference)
  return provider
}
