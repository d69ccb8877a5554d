import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { invalidField, invalidJson } from '../../../errors.ts'

/** Strict JSON bodies: well-formed, no text that PostgreSQL could not give back unchanged. An empty body is none. */
export function addJsonParser(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, bytes: string | Buffer) => parseJson(textOf(bytes as Buffer)),
  )
}

// Decoding would put a question mark in the place of what is not UTF-8: the text would come back changed.
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidJson('The body is not UTF-8.')
  const text = bytes.toString()
  // Some editors and libraries put a byte order mark in front.
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** For questions: widgets send anything, or nothing, as their body. */
export function ignoreBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async () => undefined)
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  const value = parse(text)
  // Only an escape can smuggle NUL or half a character in, so most bodies need no second look.
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

/** Deeper than any body of ours; walking without an end would exhaust the stack. */
const maximumDepth = 100

function refuseDeep(depth: number) {
  if (depth > maximumDepth) throw invalidJson(`The body is nested more than ${maximumDepth} levels deep.`)
}

function refuseUnstorable(value: unknown, path: string, depth = 0) {
  refuseDeep(depth)
  if (typeof value === 'string' && !isStorable(value))
    throw invalidField(path || 'body', `${path || 'The body'} contains a NUL character or half a character.`)
  if (typeof value === 'object' && value !== null)
    for (const [key, child] of Object.entries(value)) {
      if (!isStorable(key))
        throw invalidField(path || 'body', 'A field name contains a NUL character or half a character.')
      refuseUnstorable(
        child,
        Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key,
        depth + 1,
      )
    }
}

/** Can PostgreSQL keep this text and give it back as it was? */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

function refusePollution(value: unknown, depth = 0) {
  refuseDeep(depth)
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') throw invalidJson('A field must not be named __proto__.')
    refusePollution(child, depth + 1)
  }
}
