import { takesIdempotencyKey } from '../requests/idempotency.ts'
import type { Route } from '../route.ts'

// Response headers. X-Request-Id, which every response has, is in the document's description.

const text = (description: string) => ({ description, schema: { type: 'string' } })

export const headersOfAnswers = {
  ETag: text(
    'Identifies this version of the response. Use it as If-None-Match for lists and as If-Match for changes.',
  ),
  'X-Ignored': text(
    'Query keys and body fields that this call does not know, URL-encoded. Absent if there are none.',
  ),
  Link: text('`<address>; rel="next"`: address of the next page. Absent on the last page.'),
  'Idempotency-Replayed': text(
    '`true` if the request was not processed again and the first response is repeated.',
  ),
  RateLimit: text('Requests left, and seconds until the limit resets: `"reserve";r=59;t=60`.'),
  'RateLimit-Policy': text('Requests allowed per period in seconds: `"reserve";q=60;w=60`.'),
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
  'Set-Cookie': text('Starts or ends the session.'),
}

const hasTag = ({ isRecord, ifMatch }: Route) => Boolean(isRecord || ifMatch)

type Name = keyof typeof headersOfAnswers

const isDone = (status: number) => status < 300

const rules: Record<Name, (route: Route, status: number, taggedPaths: Set<string>) => boolean> = {
  ETag: (route, status, taggedPaths) =>
    status === 304 ||
    (isDone(status) &&
      (304 in route.replies ||
        taggedPaths.has(route.path) ||
        (hasTag(route) && Boolean(route.replies[status])))),
  'X-Ignored': ({ access }, status) => access.kind === 'crm' && isDone(status),
  Link: ({ isList, query = {} }, status) => Boolean(isList) && 'limit' in query && status === 200,
  'Idempotency-Replayed': (route, status) =>
    takesIdempotencyKey(route) && ![401, 429, 500, 503].includes(status),
  RateLimit: isLimited,
  'RateLimit-Policy': isLimited,
  'Retry-After': (route, status) =>
    status === 503 || status === 429 || (status === 409 && takesIdempotencyKey(route)),
  'Set-Cookie': ({ setsCookie }, status) => Boolean(setsCookie) && isDone(status),
}

/** Counted once the body is read. */
function isLimited({ limit }: Route, status: number) {
  return limit !== undefined && ![413, 415, 500, 503].includes(status)
}

/** Paths with a change by If-Match return an ETag when read. */
export const pathsWithTags = (routes: Route[]) =>
  new Set(routes.filter(({ headers = {} }) => 'if-match' in headers).map(({ path }) => path))

export function headersOf(route: Route, status: string, taggedPaths: Set<string>) {
  const names = (Object.keys(rules) as Name[]).filter(name => rules[name](route, Number(status), taggedPaths))
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }])) }
}
