import { unwrap } from './answers.ts'
import type { HoldfastClient } from './client.ts'
import type { paths } from './schema.ts'

type Get<P extends keyof paths> = paths[P] extends { get: infer Operation } ? Operation : never
type Entries<P extends keyof paths> =
  Get<P> extends { responses: { 200: { content: { 'application/json': (infer Entry)[] } } } } ? Entry : never
type Parameters<P extends keyof paths> = Get<P> extends { parameters: infer Given } ? Given : never

/** Lists with `limit`, `after` and a Link to the next page. */
export type PagedPath = {
  [P in keyof paths]: Get<P> extends { parameters: { query?: { after?: string; limit?: number } } }
    ? Entries<P> extends never
      ? never
      : P
    : never
}[keyof paths]

type PageOptions<P extends keyof paths> = {
  params: Omit<Parameters<P>, 'header' | 'cookie'>
  signal?: AbortSignal
}

type Page<Entry> = { data?: Entry[]; error?: unknown; response: Response }

/** Every entry of a list, page by page (500 at a time unless `limit` says otherwise). */
export async function* listAll<P extends PagedPath>(
  client: HoldfastClient,
  path: P,
  options: PageOptions<P>,
): AsyncGenerator<Entries<P>, void, undefined> {
  for await (const page of listPages(client, path, options)) yield* page
}

/** The same, as whole pages. */
export async function* listPages<P extends PagedPath>(
  client: HoldfastClient,
  path: P,
  { params, signal }: PageOptions<P>,
): AsyncGenerator<Entries<P>[], void, undefined> {
  const { query, ...rest } = params as { query?: object }
  let after: string | undefined
  do {
    const call = client.GET as unknown as (path: string, init: object) => Promise<Page<Entries<P>>>
    const page = await call(path, { params: { ...rest, query: { limit: 500, ...query, after } }, signal })
    yield await unwrap(Promise.resolve(page))
    after = nextOf(page.response.headers)
  } while (after !== undefined)
}

/** The cursor in `<https://...?after=...>; rel="next"`. */
function nextOf(headers: Headers): string | undefined {
  const address = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return address ? (new URL(address).searchParams.get('after') ?? undefined) : undefined
}
