import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { recogniseKey, recogniseSession } from '../../../actions/setup/recognise.ts'
import type { ConsoleCaller, CrmCaller } from '../../../callers.ts'
import type { LiveKey } from '../../../db/setup/keys.ts'
import { providerIdsOfCrm } from '../../../db/setup/providers.ts'
import { invalidKey, loginRequired, missingKey, missingScope, wrongCrm } from '../../../errors.ts'
import { sha256 } from '../../../lib/hash.ts'
import type { Service } from '../../../service.ts'
import type { Scope } from '../route.ts'

// A revoked key must be refused everywhere within 5 seconds; this leaves room for a slow query.
const cacheMs = 3_000

type Cached = { key: LiveKey; until: number }
const cache = new WeakMap<Service, Map<string, Cached>>()

function keysOf(service: Service): Map<string, Cached> {
  const keys = cache.get(service) ?? new Map<string, Cached>()
  cache.set(service, keys)
  return keys
}

/** The CRM behind the request's API key, allowed to do this in this path. */
export async function authenticateKey(
  service: Service,
  request: FastifyRequest,
  scope: Scope,
): Promise<CrmCaller> {
  const key = await keyOf(service, request)
  if (!key) throw missingKey()
  const { crmId } = request.params as { crmId: string }
  if (crmId !== key.crm) throw wrongCrm(crmId)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!key.scopes.includes(scope) && !(isRead && key.scopes.includes('read')))
    throw missingScope(isRead ? 'read' : scope)
  return {
    id: `key:${key.id}`,
    crm: { id: key.crmId, name: key.crm, language: key.language },
    actor: { kind: 'key', name: key.prefix },
  }
}

/** Null without one. */
async function keyOf(service: Service, { headers }: FastifyRequest): Promise<LiveKey | null> {
  const sent = headers['x-service-client-id']
  if (typeof sent !== 'string' || sent === '') return null
  const key = knownKey(service, sent) ?? (await liveKey(service, sent))
  if (!key) throw invalidKey()
  return key
}

/** Looked up a moment ago. Kept by hash: whoever reads our memory finds no keys. */
function knownKey(service: Service, sent: string): LiveKey | null {
  const known = keysOf(service).get(hash('sha256', sent, 'base64'))
  return known && known.until > performance.now() ? known.key : null
}

async function liveKey(service: Service, sent: string): Promise<LiveKey | null> {
  const key = await recogniseKey(service, sent)
  if (!key) return null
  const keys = keysOf(service)
  if (keys.size > 10_000) keys.clear()
  keys.set(key.hash.toString('base64'), { key, until: performance.now() + cacheMs })
  return key
}

export const sessionCookie = 'holdfast_session'

/** An operator's bearer token, an API key where the route is open to it, or the session of somebody who logged in. */
export async function authenticateConsole(
  service: Service,
  request: FastifyRequest,
  scope?: 'settings',
): Promise<ConsoleCaller> {
  const key = scope ? await keyOf(service, request) : null
  if (scope && key) return callerByKey(service, key, scope)
  const bearer = request.headers.authorization?.match(/^Bearer (.+)$/i)?.[1]
  if (bearer !== undefined) return operatorByToken(service, bearer)
  const cookie = request.cookies[sessionCookie]
  const user = cookie ? await recogniseSession(service, cookie) : null
  if (!user) throw loginRequired()
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForeignOrigin(service, request)
  return {
    id: `user:${user.uuid}`,
    role: user.role,
    crmId: user.crmId,
    providerIds: user.role === 'operator' ? null : user.providerIds,
    ownedIds: user.ownedIds,
    loginId: user.id,
    actor: { kind: 'console', name: user.uuid },
  }
}

const everything: Omit<ConsoleCaller, 'id' | 'actor'> = {
  role: 'operator',
  crmId: null,
  providerIds: null,
  ownedIds: [],
  loginId: null,
}

/** Sees its own CRM, and of the console what the scope is for. */
async function callerByKey({ db }: Service, key: LiveKey, scope: 'settings'): Promise<ConsoleCaller> {
  if (!key.scopes.includes(scope)) throw missingScope(scope)
  return {
    id: `key:${key.id}`,
    role: 'administrator',
    crmId: key.crmId,
    providerIds: await providerIdsOfCrm(db, key.crmId),
    ownedIds: [],
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
 * The session cookie is SameSite=Lax, so browsers do not send it with foreign writes; this is the second lock. It also
 * keeps other pages from logging somebody in or out, which needs no cookie.
 */
export function refuseForeignOrigin({ baseUrl }: Service, request: FastifyRequest) {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  const isForeign = origin !== undefined && origin !== baseUrl && URL.parse(origin)?.host !== host
  if (isForeignSite || isForeign) throw loginRequired()
}
