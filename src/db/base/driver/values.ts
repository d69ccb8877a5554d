import { prepareValue } from 'pg/lib/utils.js'

/**
 * Encodes a parameter. The driver can encode everything; the types our statements mostly use take a shorter
 * path.
 */
export function encodeValue(value: unknown): string | Buffer | null {
  if (value === null || typeof value === 'string') return value
  if (isPlainDate(value)) return value.toISOString()
  if (Array.isArray(value)) return listToSend(value)
  return prepareValue(value)
}

function listToSend(list: unknown[]) {
  if (list.every(one => typeof one === 'number')) return `{${list.join()}}`
  if (list.every(isPlainDate)) return `{${list.map(one => one.toISOString()).join()}}`
  return prepareValue(list)
}

/** Dates whose text is the same everywhere; others have a sign before the year or BC after it. */
const isPlainDate = (value: unknown): value is Date =>
  value instanceof Date && value.getTime() >= firstPlain && value.getTime() < lastPlain

const [firstPlain, lastPlain] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')]
