import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { crmOfRef } from '../../actions/booking/resolve-ref.ts'
import { comesFirst } from '../../db/booking/businesses.ts'
import type { LiveKey } from '../../db/setup/keys.ts'
import { notFound } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { consumerApi } from '../wire/consumer-api.ts'
import { isStorable } from '../wire/requests/json.ts'

/** One call of an agent: who calls, and the API that answers. */
export type AgentCall = {
  app: FastifyInstance
  service: Service
  request: FastifyRequest
  reply: FastifyReply
  /** With scope `agent`; null for anyone. */
  key: LiveKey | null
}

/** What the API refuses, in its own words. */
export class ToolError extends Error {}

type Api = ReturnType<typeof consumerApi>

/** The consumer API, with its errors thrown. Null for an empty response. */
export async function askApi<Body>(
  { app, request }: AgentCall,
  ...asked: Parameters<Api>
): Promise<Body | null> {
  const { status, body } = await consumerApi(
    app,
    request,
  )<Body & { errors?: { message: string }[] }>(...asked)
  if (status < 400) return body
  throw new ToolError((body?.errors ?? []).map(one => one.message).join(' ') || `Status ${status}.`)
}

/**
 * The places that a ref or the address of a booking page names: one, or all that a business offers. With MCP=keys, only places of the
 * key's CRM exist.
 */
export async function placesAt({ service, key }: AgentCall, text: string): Promise<string[]> {
  const page = /\/book\/([^/?#]+)/.exec(text)?.[1]
  const name = page ? decoded(page) : text
  const refs = (await refsOfBusiness(service, name)) ?? [name]
  if (service.config.mcp === 'keys' && (await crmOfRef(service, { ref: refs[0]! })) !== key!.crmId)
    throw notFound('Resource', name, 'ref')
  return refs
}

/** The same, for tools that need one place. */
export async function placeOf(call: AgentCall, text: string): Promise<string> {
  const [ref, ...others] = await placesAt(call, text)
  if (others.length > 0)
    throw new ToolError('Several places can be booked there. Use the ref of one: find_services lists them.')
  return ref!
}

/** As booking pages read a name. */
async function refsOfBusiness({ businesses, refs }: Service, name: string): Promise<string[] | null> {
  const business = await businesses.find(name)
  if (!business || business.refs.length === 0) return null
  const isOther = !comesFirst(business) && (await refs.check([name])).found.length > 0
  return isOther ? null : business.refs
}

function decoded(text: string): string {
  try {
    const name = decodeURIComponent(text)
    return isStorable(name) ? name : text
  } catch {
    return text
  }
}

export const newHoldId = () => randomUUID()

/**
 * The name of the hold in the API. The agent knows only what it is derived from, so it cannot complete the booking in the person's
 * place.
 */
export function placeholderOf({ signer }: Service, holdId: string): string {
  const hex = createHmac('sha256', signer.key('agent-hold')).update(holdId.toLowerCase()).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
