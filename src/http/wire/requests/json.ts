import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { invalidField, invalidJson } from '../../../errors.ts'

/**
 * Strict JSON bodies: well-formed, and without text that PostgreSQL cannot return unchanged. An empty body
 * counts as none.
 */
export function addJsonParser(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, bytes: string | Buffer) => parseJson(textOf(bytes as Buffer)),
  )
}

// Decoding would replace invalid UTF-8 and change the text.
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidJson('The body is not UTF-8.')
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
  // Only an escape can contain NUL or an incomplete character, so most bodies skip this check.
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseUnstorable(value, '')
  if (/"__proto__"/.test(text)) refusePollution(value)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidJson(`The body is not valid JSON: ${(error as Error).message}`)
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
  if (depth > maximumDepth) throw invalidJson(`The body is nested more than ${maximumDepth} levels deep.`)
}

function refuseUnstorable(value: unknown, path: string, depth = 0) {
  refuseDeep(depth)
  if (typeof value === 'string' && !isStorable(value))
    throw invalidField(
      path || 'body',
      `${path || 'The body'} contains a NUL character or an incomplete character.`,
    )
  if (typeof value === 'object' && value !== null)
    for (const [key, child] of Object.entries(value)) {
      if (!isStorable(key))
        throw invalidField(
          path || 'body',
          'A field name contains a NUL character or an incomplete character.',
        )
      refuseUnstorable(
        child,
        Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key,
        depth + 1,
      )
    }
}

/** Whether PostgreSQL can store this text and return it unchanged. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

function refusePollution(value: unknown, depth = 0) {
  refuseDeep(depth)
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') throw invalidJson('A field must not be named __proto__.')
    refusePollution(child, depth + 1)
  }
}
