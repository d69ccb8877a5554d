import type { TSchema } from 'typebox'
import { invalidField } from '../../../errors.ts'
import { isStorable } from './json.ts'

type Query = Record<string, string | string[] | undefined>

/**
 * Parses queries by the route's schema. Some existing pages send the texts `undefined` and `null` for missing
 * values; bare flags are true; a repeated key counts once where one value is expected.
 */
export function queryReader(schema: TSchema & { properties?: Record<string, TSchema> }) {
  const properties = Object.entries(schema.properties ?? {}) as [string, { type?: string }][]
  return (raw: Query) => {
    const query: Record<string, unknown> = {}
    for (const [name, property] of properties) {
      const given = raw[name]
      if (given === undefined && property.type !== 'array') continue
      const value = readValue(name, property, [given ?? []].flat())
      if (value !== undefined) query[name] = value
    }
    return query
  }
}

function readValue(name: string, { type }: { type?: string }, texts: string[]) {
  for (const text of texts) if (!isStorable(text)) throw invalidField(name, 'unreadable-text')
  if (type === 'boolean') return readFlag(name, texts[0])
  const present = texts.filter(text => text !== '' && !isAbsent(text))
  if (type === 'array') return present
  if (type === 'integer' || type === 'number') return readNumber(name, present[0])
  return present[0]?.replace(blankBeforeOffset, '+')
}

/**
 * An unencoded plus sign arrives as a space. The service's own date-times have one before the offset, and
 * clients send them back unchanged.
 */
const blankBeforeOffset = /(?<=^\d{4}-\d\d-\d\d[Tt]\d\d:[\d:.,]+) (?=\d\d(:?\d\d)?$)/

function readFlag(name: string, text: string | undefined) {
  if (text === undefined || isAbsent(text)) return undefined
  if (['', 'true', '1'].includes(text)) return true
  if (['false', '0'].includes(text)) return false
  throw invalidField(name, 'boolean')
}

function readNumber(name: string, text: string | undefined) {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!Number.isFinite(number) || text.trim() === '') throw invalidField(name, 'number')
  return number
}

const isAbsent = (text: string) => text === 'undefined' || text === 'null'
