import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, compress, type Encoding, packers } from '../../../lib/compression.ts'

// Compresses lists, and answers 304 to clients that already have them.

/** An onSend hook. A list too long for memory is a stream and has no ETag. */
export async function sendList(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (reply.statusCode !== 200) return payload
  reply.header('cache-control', 'private, no-cache').header('vary', 'Accept-Encoding')
  const accepted = request.headers['accept-encoding']
  if (payload instanceof Readable)
    return streamed(reply, payload, chooseEncoding(accepted, Number.POSITIVE_INFINITY))
  if (typeof payload !== 'string') return payload
  const etag = `W/"${hash('sha1', payload, 'base64url')}"`
  reply.header('etag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) return unchanged(reply)
  return compressed(reply, payload, chooseEncoding(accepted, payload.length))
}

/** An onSend hook for large personal data that browsers must not store. */
export async function sendCompressed(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  reply.header('vary', 'Accept-Encoding')
  return compressed(reply, payload, chooseEncoding(request.headers['accept-encoding'], payload.length))
}

function compressed(reply: FastifyReply, payload: string, encoding: Encoding) {
  if (encoding === 'identity') return payload
  reply.header('content-encoding', encoding)
  return compress([Buffer.from(payload)], encoding)
}

function streamed(reply: FastifyReply, list: Readable, encoding: Encoding) {
  if (encoding === 'identity') return list
  reply.header('content-encoding', encoding)
  const packed = packers[encoding]()
  // An upstream error must break the response, not shorten it.
  list.on('error', error => packed.destroy(error))
  packed.on('close', () => list.destroy())
  return list.pipe(packed)
}

function unchanged(reply: FastifyReply) {
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return null
}

const withoutWeakness = (tag: string) => tag.trim().replace(/^W\//, '')

/**
 * Whether If-None-Match names this ETag. Compared weakly (RFC 9110), because compressing proxies make tags
 * weak.
 */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header === etag ||
    header.trim() === '*' ||
    header.split(',').map(withoutWeakness).includes(withoutWeakness(etag)))
