import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { changedMeanwhile } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'

// Two people edit the same thing. Whoever read it gets an ETag; sent back as If-Match, a change is refused when the thing is
// no longer as it was read. The look is taken inside the transaction, under its lock.

const tagOf = (record: unknown) => `"${sha256(JSON.stringify(record)).toString('base64url').slice(0, 22)}"`

/** Answers the record with its tag. */
export function tagged<T>(reply: FastifyReply, record: T): T {
  reply.header('etag', tagOf(record))
  return record
}

/** For the action, which calls it with what is there once nobody else can change it. Without the header all is well. */
export function ifUnchanged<Row>(request: FastifyRequest, recordOf: (row: Row) => unknown) {
  const read = request.headers['if-match']
  return (row: Row) => {
    if (typeof read !== 'string' || read === '*') return
    const tags = read.split(',').map(one => one.trim().replace(/^W\//, ''))
    if (!tags.includes(tagOf(recordOf(row)))) throw changedMeanwhile()
  }
}

export const IfMatch = {
  'if-match': Type.Optional(
    Type.String({
      description:
        'The ETag of the record as it was read. When somebody changed it since: `409 changed`, and nothing is saved.',
    }),
  ),
}
