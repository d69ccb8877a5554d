import { takesIdempotencyKey } from '../requests/idempotency.ts'
import type { Route } from '../route.ts'

// What answers carry beside their body. Of X-Request-Id, which stands in every answer, the description of the document speaks.

const text = (description: string) => ({ description, schema: { type: 'string' } })

export const headersOfAnswers = {
  ETag: text('Names this state of what is answered: for If-None-Match of lists, for If-Match of changes.'),
  Link: text('`<address>; rel="next"`: where the next page is. Missing on the last one.'),
  'Idempotency-Replayed': text('`true`: not done again, but answered as the first time.'),
  RateLimit: text('What is left until the limit, and for how many seconds: `"reserve";r=59;t=60`.'),
  'RateLimit-Policy': text('How many requests in how many seconds: `"reserve";q=60;w=60`.'),
  'Retry-After': { description: 'Ask again after so many seconds.', schema: { type: 'integer' } },
  'Set-Cookie': text('Begins or ends the session.'),
}

type Name = keyof typeof headersOfAnswers

const isDone = (status: number) => status < 300

const rules: Record<Name, (route: Route, status: number, taggedPaths: Set<string>) => boolean> = {
  ETag: (route, status, taggedPaths) =>
    status === 304 || (isDone(status) && (304 in route.replies || taggedPaths.has(route.path))),
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

/** Where something can be changed with If-Match, what is read has the tag for it. */
export const pathsWithTags = (routes: Route[]) =>
  new Set(routes.filter(({ headers = {} }) => 'if-match' in headers).map(({ path }) => path))

export function headersOf(route: Route, status: string, taggedPaths: Set<string>) {
  const names = (Object.keys(rules) as Name[]).filter(name => rules[name](route, Number(status), taggedPaths))
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }])) }
}
