import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { invalidField, Refusal } from '../../../errors.ts'

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
  // Only an escape can contain NUL or an incomplete character, so most bodies skip this check.
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseUnstorable(value, '')
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

function refuseUnstorable(value: unknown, path: string, depth = 0) {
  refuseDeep(depth)
  if (typeof value === 'string' && !isStorable(value))
    throw path ? invalidField(path, 'unreadable-text') : invalidField('body', 'unreadable-text:body')
  if (typeof value === 'object' && value !== null)
    for (const [key, child] of Object.entries(value)) {
      if (!isStorable(key)) throw invalidField(path || 'body', 'unreadable-text:name')
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
    if (key === '__proto__') throw new Refusal('invalid-json', { rule: 'proto' })
    refusePollution(child, depth + 1)
  }
}
