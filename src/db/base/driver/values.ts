import { prepareValue } from 'pg/lib/utils.js'

/** A value as it is sent. The driver knows all kinds; those that our statements are full of go a shorter way. */
export function toSend(value: unknown): string | Buffer | null {
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

/** Its text is the same everywhere: others have a sign before the year, or the letters BC behind it. */
const isPlainDate = (value: unknown): value is Date =>
  value instanceof Date && value.getTime() >= firstPlain && value.getTime() < lastPlain

const [firstPlain, lastPlain] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')]
