import pg from 'pg'

// Instants are epoch milliseconds everywhere above this layer; ids stay far below 2^53.

const int8 = 20
const int8Array: number = 1016
const timestamptz = 1184
const date: number = 1082

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return Number
    // The driver leaves array members as text, which would equal no id.
    if (oid === int8Array) {
      const parse = pg.types.getTypeParser(int8Array, 'text')
      return (text: string) => (parse(text) as string[]).map(Number)
    }
    if (oid === timestamptz) {
      const parse = pg.types.getTypeParser(timestamptz, 'text')
      return (text: string) => (parse(text) as Date).getTime()
    }
    // A day such as 1990-02-28 has no zone; the driver would make it an instant.
    if (oid === date) return String
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

/** The driver encodes everything; the lists of ids and instants that our statements send take a shorter path. */
export function encodeValue(value: unknown): unknown {
  if (isPlainDate(value)) return value.toISOString()
  if (!Array.isArray(value)) return value
  if (value.every(one => typeof one === 'number')) return `{${value.join()}}`
  if (value.every(isPlainDate)) return `{${value.map(one => one.toISOString()).join()}}`
  return value
}

/** Dates whose text is the same everywhere; others have a sign before the year or BC after it. */
const isPlainDate = (value: unknown): value is Date =>
  value instanceof Date && value.getTime() >= firstPlain && value.getTime() < lastPlain

const [firstPlain, lastPlain] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')]
