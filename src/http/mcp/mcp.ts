import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorText } from '../../error-texts.ts'
import { invalidKey, missingKey, missingScope, Refusal } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { liveKeyOf, refuseForeignOrigin } from '../wire/callers/auth.ts'
import { type AgentCall, ToolError } from './call.ts'
import { explainUnavailable, findServices, findTimes } from './find.ts'
import { bookingStatus, holdTime, proposeBooking, releaseHold } from './hold.ts'
import { instructions, type ToolName, tools } from './tool-texts.ts'

// The Model Context Protocol over HTTP: one request, one response, no sessions. Every tool is a client of the consumer API or of its
// actions, so agents are bound by the same rules and limits as any client.

// biome-ignore lint/suspicious/noExplicitAny: validated by the schema of the tool
const handlers: Record<ToolName, (call: AgentCall, input: any) => Promise<object>> = {
  find_services: findServices,
  find_times: findTimes,
  hold_time: holdTime,
  propose_booking: proposeBooking,
  booking_status: bookingStatus,
  release_hold: releaseHold,
  explain_unavailable: explainUnavailable,
}

/** The library is loaded only if agents may call. */
export async function addMcp(app: FastifyInstance, service: Service) {
  if (service.config.mcp === 'off') return
  const { createMcpHandler, fromJsonSchema, McpServer } = await import('@modelcontextprotocol/server')
  const definitions = Object.entries(tools).map(([name, { inputSchema, ...rest }]) => ({
    name: name as ToolName,
    about: { ...rest, inputSchema: fromJsonSchema<object>(inputSchema as never) },
  }))
  const makeServer = (call: AgentCall): McpServer => {
    const server = new McpServer({ name: 'holdfast', version: '1' }, { instructions })
    for (const { name, about } of definitions)
      server.registerTool(name, about, input => answer(call, name, input))
    return server
  }
  // Nothing to subscribe to: the tools never change.
  const { fetch: handle, close } = createMcpHandler(
    ({ authInfo }) => makeServer(authInfo!.extra!.call as AgentCall),
    {
      maxSubscriptions: 0,
    },
  )
  app.addHook('onClose', close)
  app.post('/mcp', { config: { access: { kind: 'public' } } }, async (request, reply) => {
    const call = { app, service, request, reply, key: await agentKey(service, request) }
    const authInfo = { token: '', clientId: '', scopes: [], extra: { call } }
    const asked = new Request(new URL('/mcp', service.baseUrl), {
      method: 'POST',
      headers: webHeaders(request),
      body: JSON.stringify(request.body),
    })
    return send(reply, await handle(asked, { authInfo, parsedBody: request.body }))
  })
}

async function send(reply: FastifyReply, response: Response) {
  const type = response.headers.get('content-type')
  if (type) reply.header('content-type', type)
  return reply
    .header('cache-control', 'no-store')
    .code(response.status)
    .send(await response.text())
}

const webHeaders = ({ headers }: FastifyRequest) =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(accept|content-type|mcp-.*)$/.test(name) ? [[name, value]] : [],
  )

/** Agents send their key as a bearer token or like any other key. */
async function agentKey(service: Service, request: FastifyRequest) {
  refuseForeignOrigin(service, request)
  const { authorization, 'x-service-client-id': header } = request.headers
  const sent = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? header
  if (typeof sent !== 'string' || sent === '') {
    if (service.config.mcp === 'keys') throw missingKey()
    return null
  }
  const key = await liveKeyOf(service, sent)
  if (!key) throw invalidKey()
  if (!key.scopes.includes('agent')) throw missingScope('agent')
  service.suspensions.refuseCrm(key.crmId)
  return key
}

/** Results are JSON: text of businesses and customers stays inside quotes. */
async function answer(call: AgentCall, name: ToolName, input: unknown): Promise<CallToolResult> {
  try {
    const result = await handlers[name](call, input)
    return {
      content: [{ type: 'text', text: JSON.stringify(result) }],
      structuredContent: result as Record<string, unknown>,
    }
  } catch (error) {
    return { content: [{ type: 'text', text: said(call, error) }], isError: true }
  }
}

function said({ request }: AgentCall, error: unknown): string {
  if (error instanceof ToolError) return error.message
  if (error instanceof Refusal) return [error, ...error.others].map(errorText).join(' ')
  request.log.error({ err: error }, 'A tool failed.')
  return 'The service is unavailable right now. Try again in a moment.'
}
