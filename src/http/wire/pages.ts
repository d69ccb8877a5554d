import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { invalidField } from '../../errors.ts'
import type { Service } from '../../service.ts'

// Optional paging: `limit` entries, and a Link header to the next page.

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Maximum number of entries. `Link` points to the next page.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Where the previous page ended, taken from its `Link` header.',
    }),
  ),
}

/**
 * `after` contains the sort key of the last row; one row more than `limit` shows whether there is a next
 * page.
 */
type Page = { after: number[] | null; limit: number | null }

/** The whole list. */
export const allOf: Page = { after: null, limit: null }

type PageQuery = { limit?: number; after?: string }

export function readPage({ limit, after }: PageQuery, keys: number): Page {
  return {
    after: after === undefined ? null : readAfter(after, keys),
    limit: limit === undefined ? null : limit + 1,
  }
}

function readAfter(text: string, keys: number): number[] {
  const values = parse(Buffer.from(text, 'base64url').toString())
  const isOurs = Array.isArray(values) && values.length === keys && values.every(isKey)
  if (!isOurs) throw invalidField('after', 'cursor:link')
  return values
}

/** Only ids and times that the service itself issues. */
const isKey = (value: number) =>
  Number.isSafeInteger(value) && value >= Date.UTC(1900, 0, 0) && value < Date.UTC(10_000, 0, 2)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type PagedCall = { service: Service; request: FastifyRequest; reply: FastifyReply; query: PageQuery }

/** The rows of this page, with a link to the next one if there are more. */
export function pageOf<T>(call: PagedCall, rows: T[], keysOf: (row: T) => number[]): T[] {
  const { limit } = call.query
  if (limit === undefined || rows.length <= limit) return rows
  linkNext(call, keysOf(rows[limit - 1]!))
  return rows.slice(0, limit)
}

export const linkNext = (call: PagedCall, keys: number[]) =>
  linkAfter(call, Buffer.from(JSON.stringify(keys)).toString('base64url'))

export function linkAfter({ service, request, reply }: PagedCall, after: string) {
  const next = new URL(request.url, service.baseUrl)
  next.searchParams.set('after', after)
  reply.header('link', `<${service.baseUrl}${next.pathname}${next.search}>; rel="next"`)
}
