import type { FastifyInstance } from 'fastify'
import { invalidField, invalidJson } from '../errors.ts'

/** Strict JSON bodies: well-formed, no text that PostgreSQL could not give back unchanged. An empty body is none. */
export function addJsonParser(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string | Buffer) => parseJson(String(text)),
  )
}

export function parseJson(text: string): unknown {
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

function refuseUnstorable(value: unknown, path: string) {
  if (typeof value === 'string' && !isStorable(value))
    throw invalidField(path || 'body', `${path || 'The body'} contains a NUL character or half a character.`)
  if (typeof value === 'object' && value !== null)
    for (const [key, child] of Object.entries(value)) {
      if (!isStorable(key))
        throw invalidField(path || 'body', 'A field name contains a NUL character or half a character.')
      refuseUnstorable(child, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key)
    }
}

/** Can PostgreSQL keep this text and give it back as it was? */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

function refusePollution(value: unknown) {
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') throw invalidJson('A field must not be named __proto__.')
    refusePollution(child)
  }
}
