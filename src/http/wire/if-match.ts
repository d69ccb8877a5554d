import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { changedSince } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'

// Optimistic locking: reading returns an ETag, and a change with it as If-Match is refused if the record has
// changed since. Checked inside the transaction, under its lock.

export const tagOf = (record: unknown) =>
  `"${sha256(JSON.stringify(record)).toString('base64url').slice(0, 22)}"`

/** Returns the record with its ETag. */
export function withEtag<T>(reply: FastifyReply, record: T): T {
  reply.header('etag', tagOf(record))
  return record
}

/** A check that the action calls with the locked record. Passes without the header. */
export function ifUnchanged<Row>(request: FastifyRequest, recordOf: (row: Row) => unknown) {
  return ifTagged(request.headers['if-match'] ?? null, recordOf)
}

/** The same if the tag is in the body. */
export function ifTagged<Row>(read: string | null, recordOf: (row: Row) => unknown) {
  return (row: Row) => {
    if (typeof read !== 'string' || read === '*') return
    const tags = read.split(',').map(one => one.trim().replace(/^W\//, ''))
    if (!tags.includes(tagOf(recordOf(row)))) throw changedSince()
  }
}

export const IfMatch = {
  'if-match': Type.Optional(
    Type.String({
      description:
        'The ETag of the record as you read it. If the record has changed since, returns `409 changed` and saves nothing.',
    }),
  ),
}
