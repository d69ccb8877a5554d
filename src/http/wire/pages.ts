import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { invalidField } from '../../errors.ts'
import type { Service } from '../../service.ts'

// Lists in pages, for those who ask for them: `limit` entries, and a Link header that leads to the next ones.

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'At most so many; `Link` leads to the next ones.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Where the page before ended. Taken from its `Link` header.',
    }),
  ),
}

/** How far to read. `after` are the values that the list is ordered by; one more than `limit` tells whether it goes on. */
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
  if (!isOurs) throw invalidField('after', 'after must be taken from the Link header of the page before.')
  return values
}

/** An id or a moment, of those that we give out: the database knows no others. */
const isKey = (value: number) =>
  Number.isSafeInteger(value) && value >= Date.UTC(1900, 0, 0) && value < Date.UTC(10_000, 0, 2)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Asked = { service: Service; request: FastifyRequest; reply: FastifyReply; query: PageQuery }

/** The rows of this page; where more were found, a link to the next one. */
export function pageOf<T>(asked: Asked, rows: T[], keysOf: (row: T) => number[]): T[] {
  const { limit } = asked.query
  if (limit === undefined || rows.length <= limit) return rows
  linkNext(asked, keysOf(rows[limit - 1]!))
  return rows.slice(0, limit)
}

export function linkNext({ service, request, reply }: Asked, keys: number[]) {
  const next = new URL(request.url, service.baseUrl)
  next.searchParams.set('after', Buffer.from(JSON.stringify(keys)).toString('base64url'))
  reply.header('link', `<${service.baseUrl}${next.pathname}${next.search}>; rel="next"`)
}
