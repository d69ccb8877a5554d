import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { crmOfRef } from '../../actions/booking/crm-of-ref.ts'
import type { LiveKey } from '../../db/setup/keys.ts'
import { notFound } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { consumerApi } from '../wire/consumer-api.ts'

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

/** A ref, or the address of a booking page. With MCP=keys, only places of the key's CRM exist. */
export async function placeOf({ service, key }: AgentCall, text: string): Promise<string> {
  const page = /\/book\/([^/?#]+)/.exec(text)?.[1]
  const ref = page ? decoded(page) : text
  if (service.config.mcp === 'keys' && (await crmOfRef(service, { ref })) !== key!.crmId)
    throw notFound('Resource', ref, 'ref')
  return ref
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
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
