import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidField, Refusal } from '../../../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route refuses unstorable text itself, in the fields that it reads: see `isUnchecked`. */
    checksText?: boolean
  }
}

/**
 * Strict JSON bodies: well-formed, and without text that PostgreSQL cannot return unchanged. An empty body
 * counts as none.
 */
export function addJsonParser(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: string | Buffer) => {
      const text = textOf(bytes as Buffer)
      const value = parseJson(text)
      // Only an escape can contain NUL or an incomplete character, so most bodies skip this check.
      if (!/\\u(0000|d[89a-f])/i.test(text)) return value
      if (request.routeOptions.config.checksText && typeof value === 'object' && value !== null)
        unchecked.add(value)
      else refuseUnstorable(value)
      return value
    },
  )
}

const unchecked = new WeakSet<object>()

/** True if the body may contain text that cannot be stored. */
export const isUnchecked = (body: unknown) => typeof body === 'object' && body !== null && unchecked.has(body)

// Decoding would replace invalid UTF-8 and change the text.
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('invalid-json', { rule: 'utf8' })
  const text = bytes.toString()
  // Some editors and libraries add a byte order mark.
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** For reads: widgets send any body or none. */
export function ignoreBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async () => undefined)
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  const value = parse(text)
  refuseDeepValue(value)
  if (/"__proto__"/.test(text)) refusePollution(value)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal('invalid-json', { rule: 'detail', detail: (error as Error).message })
  }
}

/** Deeper than any valid body; unlimited recursion would exhaust the stack. */
const maximumDepth = 100

/** Runs first, so that later code such as the digest can rely on the depth. */
function refuseDeepValue(value: unknown, depth = 0) {
  refuseDeep(depth)
  if (typeof value !== 'object' || value === null) return
  for (const child of Object.values(value)) refuseDeepValue(child, depth + 1)
}

function refuseDeep(depth: number) {
  if (depth > maximumDepth) throw new Refusal('invalid-json', { rule: 'depth', limit: maximumDepth })
}

export function refuseUnstorable(value: unknown, path = '') {
  if (typeof value === 'string' && !isStorable(value))
    throw path ? invalidField(path, 'unreadable-text') : invalidField('body', 'unreadable-text:body')
  if (typeof value === 'object' && value !== null)
    for (const [key, child] of Object.entries(value)) {
      if (!isStorable(key)) throw invalidField(path || 'body', 'unreadable-text:name')
      refuseUnstorable(child, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key)
    }
}

/** Whether PostgreSQL can store this text and return it unchanged. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

function refusePollution(value: unknown, depth = 0) {
  refuseDeep(depth)
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') throw new Refusal('invalid-json', { rule: 'proto' })
    refusePollution(child, depth + 1)
  }
}
