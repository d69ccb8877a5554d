import { readFileSync } from 'node:fs'
import Type, { type TSchema } from 'typebox'
import type { ErrorCode } from '../../../errors.ts'
import { packagePath, version } from '../../../lib/root.ts'
import { rolesWith } from '../../../rules/access.ts'
import { statusOf } from '../errors.ts'
import { IfMatch, IfMatchOfCrm } from '../if-match.ts'
import { IdempotencyHeaders, takesIdempotencyKey } from '../requests/idempotency.ts'
import { PreferHeader } from '../requests/ignored.ts'
import { pathParameters } from '../requests/path-parameters.ts'
import type { Route } from '../route.ts'
import { ErrorBody } from '../wrapper.ts'
import { errorDescriptions, errorList, errorTable } from './error-meanings.ts'
import { headersOf, headersOfAnswers, pathsWithTags } from './openapi-headers.ts'
import { webhookSection } from './openapi-webhooks.ts'
import { SchemaNames } from './schema-names.ts'
import { tags } from './tags.ts'

// The OpenAPI document, generated from the routes on request. Calls are validated against the same schemas,
// and the examples are recorded from real calls.

export type Documented = { route: Route; path: string }

export function openApiDocument(documented: Documented[], baseUrl: string) {
  const names = new SchemaNames()
  const tagged = pathsWithTags(documented.map(({ route }) => route))
  const examples = readExamples()
  const paths: Record<string, Record<string, object>> = {}
  for (const { route, path } of documented) {
    const name = path.replaceAll(/:(\w+)/g, '{$1}')
    const entry = {
      [route.method.toLowerCase()]: operation(route, examples[route.operationId], names, tagged),
    }
    paths[name] = { ...paths[name], ...entry }
  }
  const webhooks = webhookSection(names)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this service', url: baseUrl },
    },
    externalDocs: { description: 'API guide', url: `${baseUrl}/docs/guide` },
    servers: [{ url: serverUrl(baseUrl) }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: { schemas: withErrorMeanings(names.schemas), headers: headersOfAnswers, securitySchemes },
  }
}

const description = `
Appointment scheduling over HTTP. [The guide](/docs/guide) explains the behaviour in detail.

Groups A and B require an API key in the header \`X-SERVICE-CLIENT-ID\`. Every path is also served under \`/rest/1\`.

Every response has the header \`X-Request-Id\`, which also identifies the request in the log. If you send one, it is kept.

All errors have the same format: \`{"api-info", "errors": [{"errorCode", "message", "field"}]}\`.

${errorTable()}
`

function withErrorMeanings({ ErrorCode, ...schemas }: SchemaNames['schemas']) {
  const description = `${ErrorCode!.description} ${errorList()}`
  return { ...schemas, ErrorCode: { ...ErrorCode, description, 'x-enum-descriptions': errorDescriptions() } }
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-SERVICE-CLIENT-ID',
    description: 'API key of your CRM, issued by the operator.',
  },
  session: { type: 'apiKey', in: 'cookie', name: 'holdfast_session', description: 'A console session.' },
  token: { type: 'http', scheme: 'bearer', description: 'An operator’s token for the console API.' },
}

function securityOf({ access, crmOf }: Route) {
  const apiKey = { apiKey: [] }
  if (access.kind === 'crm') return [apiKey]
  if (access.kind === 'public') return crmOf ? [{}, apiKey] : []
  return [{ session: [] }, { token: [] }, ...(access.scope ? [apiKey] : [])]
}

/** A local service has several valid names, so the document contains none. */
const serverUrl = (baseUrl: string) =>
  /^(localhost|127\..*|\[::1\])$/.test(new URL(baseUrl).hostname) ? '/' : baseUrl

function operation(route: Route, example: Example | undefined, names: SchemaNames, tagged: Set<string>) {
  const { operationId, summary, description, tag, body } = route
  const responses: Record<string, object> = {
    ...errorResponses(route, names),
    ...answerResponses(route, example, names),
  }
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: securityOf(route),
    parameters: parametersOf(route, example, names),
    ...(body ? { requestBody: requestBody(body, example?.body, names) } : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, one]) => [
        status,
        { ...one, ...headersOf(route, status, tagged) },
      ]),
    ),
  }
}

const ConsumerHeader = {
  'X-Consumer-Id': Type.Optional(
    Type.String({
      description:
        'With a key of the scope `consumer`: your id of the person or session. Limits and holds count by it.',
    }),
  ),
}

function parametersOf(route: Route, example: Example | undefined, names: SchemaNames) {
  const { path, query = {} } = route
  const headers = {
    ...(takesIdempotencyKey(route) ? IdempotencyHeaders.properties : {}),
    ...(route.ifMatch ? IfMatchOfCrm : {}),
    ...(route.access.kind === 'crm' ? PreferHeader : {}),
    ...(route.crmOf ? ConsumerHeader : {}),
    ...route.headers,
  }
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([_match, name]) =>
    parameter('path', name!, pathParameters[name!] ?? {}, example?.path?.[name!], names),
  )
  const inQuery = Object.entries(query).map(([name, schema]) =>
    parameter('query', name, schema, example?.query?.[name], names),
  )
  const inHeaders = Object.entries(headers).map(([name, schema]) =>
    parameter('header', name, schema, example?.headers?.[name], names),
  )
  return [...inPath, ...inQuery, ...inHeaders]
}

function parameter(place: string, name: string, schema: object, example: unknown, names: SchemaNames) {
  const { description, ...rest } = schema as TSchema & {
    description?: string
    default?: unknown
    type?: string
  }
  // A list that is not sent counts as empty.
  const isOptional = '~optional' in schema || rest.default !== undefined || rest.type === 'array'
  return {
    name,
    in: place,
    description,
    ...(place === 'path' || !isOptional ? { required: true } : {}),
    schema: names.shown(rest),
    ...(example === undefined ? {} : { example }),
  }
}

function requestBody(schema: TSchema, example: unknown, names: SchemaNames) {
  const { type } = schema as { type?: string | string[] }
  return {
    required: ![type].flat().includes('null'),
    content: { 'application/json': { schema: names.shown(schema), ...exampleOf(example) } },
  }
}

const exampleOf = (value: unknown) => (value === undefined || value === null ? {} : { example: value })

const meanings: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Changed',
  204: 'No content',
  304: 'Not modified since the response with this ETag',
}

function answerResponses({ replies }: Route, example: Example | undefined, names: SchemaNames) {
  const answers = Object.entries(replies).map(([status, schema]) => {
    const answer = { description: meanings[status] ?? `Status ${status}.` }
    if (!schema) return [status, answer]
    const { contentMediaType = 'application/json' } = schema as { contentMediaType?: string }
    const shown = example?.status === Number(status) ? exampleOf(example.reply) : {}
    return [status, { ...answer, content: { [contentMediaType]: { schema: names.shown(schema), ...shown } } }]
  })
  return Object.fromEntries(answers)
}

const errorsOfEveryRoute: ErrorCode[] = ['invalid-field', 'internal', 'unavailable', 'suspended', 'moved']

function errorsByAccess({ access, path }: Route): ErrorCode[] {
  if (access.kind === 'public') return []
  const isCrm = access.kind === 'crm'
  const namesRecord = isCrm ? /:(?!crmId\b)/.test(path) : typeof access.whose !== 'string'
  const login: ErrorCode[] = isCrm ? ['missing-key', 'invalid-key', 'wrong-crm'] : ['login-required']
  return [...login, 'scope', ...(namesRecord ? (['not-found'] as const) : [])]
}

/** Who may call the route, from its declaration. */
function whoMay({ access, method }: Route): string {
  if (access.kind === 'public') return ''
  const scopes = access.kind === 'crm' && method === 'GET' ? [access.scope, 'read'] : [access.scope]
  const keys = access.scope ? [`API keys with the scope ${scopes.map(one => `\`${one}\``).join(' or ')}`] : []
  const roles = access.kind === 'console' ? [`roles: ${rolesWith(access.right).join(', ')}`] : []
  return ` Open to ${[...roles, ...keys].join('; ')}.`
}
const errorsOfBodies: ErrorCode[] = ['missing-field', 'invalid-json', 'too-large', 'media-type']
const errorsOfRepeats: ErrorCode[] = ['in-progress', 'idempotency-mismatch']

const codesOf = (codes: ErrorCode[]) => [...new Set(codes)].map(name => `\`${name}\``).join(', ')

function errorResponses(route: Route, names: SchemaNames) {
  const codes = [
    ...errorsOfEveryRoute,
    ...errorsByAccess(route),
    ...(route.body ? errorsOfBodies : []),
    ...(takesIdempotencyKey(route) ? errorsOfRepeats : []),
    ...(route.limit ? (['too-many-requests'] as const) : []),
    ...(route.ifMatch ? (['precondition-failed'] as const) : []),
    ...(route.headers === IfMatch ? (['changed'] as const) : []),
    ...route.errors,
  ]
  const byStatus = Object.groupBy(codes, code => String(statusOf[code]))
  const responses = Object.entries(byStatus).map(([status, ofStatus]) => [
    status,
    {
      description: codesOf(ofStatus!) + (status === '403' ? whoMay(route) : ''),
      content: { 'application/json': { schema: names.shown(ErrorBody) } },
    },
  ])
  return Object.fromEntries(responses)
}

/** A real call of an operation, recorded by test/http/examples. */
export type Example = {
  path?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
  status: number
  reply?: unknown
}

export const areas = ['setup', 'scheduling', 'booking', 'console', 'operations'] as const

export const exampleFile = (area: (typeof areas)[number]) => packagePath(`src/http/examples/${area}.json`)

export function readExamples(): Record<string, Example> {
  return Object.assign({}, ...areas.map(area => JSON.parse(readFileSync(exampleFile(area), 'utf8'))))
}
