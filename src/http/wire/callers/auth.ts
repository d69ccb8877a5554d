import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { findKeyByToken, findSessionByToken } from '../../../actions/setup/find-caller.ts'
import type { ConsoleCaller, CrmCaller } from '../../../callers.ts'
import type { ConsoleUser } from '../../../db/setup/console-users.ts'
import type { LiveKey } from '../../../db/setup/keys.ts'
import { providerIdsOfCrm } from '../../../db/setup/providers.ts'
import { invalidKey, loginRequired, missingKey, missingScope, wrongCrm } from '../../../errors.ts'
import { sha256 } from '../../../lib/hash.ts'
import type { Role } from '../../../rules/access.ts'
import type { Service } from '../../../service.ts'
import type { Route, Scope } from '../route.ts'
import { sessionIn } from './session-cookie.ts'

// A revoked key must be refused everywhere within 5 seconds; this leaves room for a slow query.
const cacheMs = 3_000

type Cached = { key: LiveKey; until: number }
const cache = new WeakMap<Service, Map<string, Cached>>()

function keysOf(service: Service): Map<string, Cached> {
  const keys = cache.get(service) ?? new Map<string, Cached>()
  cache.set(service, keys)
  return keys
}

/** After a sandbox was reset, the same key belongs to another CRM. */
export const forgetKeys = (service: Service) => cache.delete(service)

/** The CRM of the request's API key, if the key may do this in this path. */
export async function authenticateKey(
  service: Service,
  request: FastifyRequest,
  scope: Scope,
): Promise<CrmCaller> {
  const key = await keyOf(service, request)
  if (!key) throw missingKey()
  const { crmId } = request.params as { crmId: string }
  if (crmId !== key.crm) throw wrongCrm(crmId)
  service.suspensions.refuseCrm(key.crmId)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!key.scopes.includes(scope) && !(isRead && key.scopes.includes('read')))
    throw missingScope(isRead ? 'read' : scope)
  return {
    id: `key:${key.id}`,
    crm: { id: key.crmId, name: key.crm, language: key.language },
    actor: { kind: 'key', name: key.prefix },
  }
}

/** Null without a key. */
async function keyOf(service: Service, request: FastifyRequest): Promise<LiveKey | null> {
  const sent = request.headers['x-service-client-id']
  if (typeof sent !== 'string' || sent === '') return null
  const key = await liveKeyOf(service, sent)
  if (!key) throw invalidKey()
  request.apiKey = key
  return key
}

export const liveKeyOf = async (service: Service, sent: string): Promise<LiveKey | null> =>
  knownKey(service, sent) ?? (await liveKey(service, sent))

/** From the cache, which stores hashes so that memory never contains keys. */
function knownKey(service: Service, sent: string): LiveKey | null {
  const known = keysOf(service).get(hash('sha256', sent, 'base64'))
  return known && known.until > performance.now() ? known.key : null
}

async function liveKey(service: Service, sent: string): Promise<LiveKey | null> {
  const key = await findKeyByToken(service, sent)
  if (!key) return null
  const keys = keysOf(service)
  if (keys.size > 10_000) keys.clear()
  keys.set(key.hash.toString('base64'), { key, until: performance.now() + cacheMs })
  return key
}

/** An operator's bearer token, an API key if the route accepts one, or a login session. */
export async function authenticateConsole(
  service: Service,
  request: FastifyRequest,
  scope?: 'settings',
): Promise<ConsoleCaller> {
  const key = scope ? await keyOf(service, request) : null
  if (scope && key) return callerByKey(service, key, scope)
  const bearer = request.headers.authorization?.match(/^Bearer (.+)$/i)?.[1]
  if (bearer !== undefined) return operatorByToken(service, bearer)
  const found = sessionIn(service, request)
  const user = found && (await findSessionByToken(service, found.session, found.isHostBound))
  if (!user) throw loginRequired()
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForeignOrigin(service, request)
  refuseWhileSuspended(service, request, user.crmId)
  return {
    id: `user:${user.uuid}`,
    role: user.role,
    crmId: user.crmId,
    roles: rolesOf(user),
    ownResources: user.ownResources,
    readsPeople: true,
    loginId: user.id,
    actor: { kind: 'console', name: user.uuid },
  }
}

type Member = Pick<ConsoleUser, 'role' | 'providerIds' | 'providerRoles'>

/** The caller's role at each Provider; null for operators, who see all. */
export const rolesOf = ({ role, providerIds, providerRoles }: Member): Map<number, Role> | null =>
  role === 'operator' ? null : new Map(providerIds.map((id, index) => [id, providerRoles[index] ?? role]))

/**
 * People of a suspended CRM can read, log out and change their own login. They see nothing of a CRM that has
 * moved.
 */
function refuseWhileSuspended(
  { suspensions }: Service,
  { method, url }: FastifyRequest,
  crmId: number | null,
) {
  const isOwn = /^\/console\/api\/(session|me)\b/.test(url)
  const isRead = method === 'GET' || method === 'HEAD'
  if (crmId !== null && suspensions.crms.get(crmId)) suspensions.refuseCrm(crmId)
  if (!isOwn && !isRead) suspensions.refuseCrm(crmId)
}

const everything: Omit<ConsoleCaller, 'id' | 'actor'> = {
  role: 'operator',
  crmId: null,
  roles: null,
  ownResources: {},
  readsPeople: true,
  loginId: null,
}

/** A key sees its own CRM, and the part of the console that its scope covers. */
async function callerByKey(
  { db, suspensions }: Service,
  key: LiveKey,
  scope: 'settings',
): Promise<ConsoleCaller> {
  suspensions.refuseCrm(key.crmId)
  if (!key.scopes.includes(scope)) throw missingScope(scope)
  return {
    id: `key:${key.id}`,
    role: 'administrator',
    crmId: key.crmId,
    roles: rolesOf({
      role: 'administrator',
      providerIds: await providerIdsOfCrm(db, key.crmId),
      providerRoles: [],
    }),
    ownResources: {},
    readsPeople: key.scopes.includes('scheduling') || key.scopes.includes('read'),
    loginId: null,
    actor: { kind: 'key', name: key.prefix },
  }
}

function operatorByToken({ config }: Service, bearer: string): ConsoleCaller {
  const right = config.bootstrapConsoleToken
  if (!right || !timingSafeEqual(sha256(bearer), sha256(right))) throw loginRequired()
  return { ...everything, id: 'token', actor: { kind: 'console', name: 'token' } }
}

/**
 * The session cookie is SameSite=Lax, so browsers do not send it with cross-site writes; this is a second
 * check. It also prevents other sites from logging a visitor in or out, which needs no cookie.
 */
export function refuseForeignOrigin({ baseUrl }: Service, request: FastifyRequest) {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  const isForeign = origin !== undefined && origin !== baseUrl && URL.parse(origin)?.host !== host
  if (isForeignSite || isForeign) throw loginRequired()
}

/**
 * Consumers who book through a CRM's own backend share its address. With a key of the scope `consumer`, limits count
 * by the id that the backend gives to each of them. At Resources of other CRMs the key changes nothing.
 */
export async function readConsumerKey(service: Service, { crmOf }: Route, request: FastifyRequest) {
  const sent = request.headers['x-service-client-id']
  if (!crmOf || typeof sent !== 'string' || sent === '') return
  const key = await liveKeyOf(service, sent)
  if (!key?.scopes.includes('consumer') || (await crmOf(service, request.params)) !== key.crmId) return
  request.apiKey = key
  request.consumer = JSON.stringify([key.id, request.headers['x-consumer-id'] ?? null])
}
