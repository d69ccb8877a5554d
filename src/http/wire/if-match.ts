import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { changedSince, type Refusal } from '../../errors.ts'
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
export function ifTagged<Row>(read: string | null, recordOf: (row: Row) => unknown, field?: string) {
  return (row: Row) => checkTag(read, recordOf(row), () => changedSince(field))
}

export const hasIfMatch = ({ headers }: FastifyRequest) =>
  headers['if-match'] !== undefined && headers['if-match'] !== '*'

/** Weak tags match too, because compressing proxies make tags weak. */
export function checkTag(read: string | null, record: unknown, refusal: () => Refusal) {
  if (read === null || read === '*') return
  const tags = read.split(',').map(one => one.trim().replace(/^W\//, ''))
  if (!tags.includes(tagOf(record))) throw refusal()
}

const header = (refusal: string) => ({
  'if-match': Type.Optional(
    Type.String({
      description: `The ETag of the record as you read it. If the record has changed since, returns \`${refusal}\` and saves nothing.`,
    }),
  ),
})

export const IfMatch = header('409 changed')
export const IfMatchOfCrm = header('412 precondition-failed')
