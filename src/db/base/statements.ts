import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { traced } from '../../lib/traced.ts'
import { nameOf } from './names.ts'

/** Rows as the program spells their names: `start_at` is `startAt`. A trace shows the statement, never its values. */
export const run = <Row extends object>(client: pg.PoolClient, statement: Sql): Promise<Row[]> =>
  traced(
    'query',
    () => ({ 'db.system.name': 'postgresql', 'db.query.text': statement.text.replace(/\s+/g, ' ').trim() }),
    () => ask<Row>(client, statement),
  )

async function ask<Row extends object>(client: pg.PoolClient, { text, values }: Sql): Promise<Row[]> {
  const result = await client.query({ name: statementName(text), text, values, rowMode: 'array' })
  if (result.rows.length === 0) return []
  const names = result.fields.map(field => nameOf(field.name))
  return result.rows.map(values => asRow(names, values) as Row)
}

function asRow(names: string[], values: unknown[]) {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < names.length; index++) row[names[index]!] = values[index]
  return row
}

// Statements are prepared once a connection. Texts are templates in the source, so there are few; those made for a
// variable number of parts could be many, and past this number stay unnamed.
const maximumNames = 500
const names = new Map<string, string>()

function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known) return known
  if (names.size >= maximumNames) return undefined
  const name = `q${names.size}`
  names.set(text, name)
  return name
}

const int8 = 20
const int8Array: number = 1016
const timestamptz = 1184

// Instants are numbers (epoch milliseconds) everywhere above this line; ids stay far below 2^53.
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return Number
    // The driver leaves the members of an array as texts, which equal no id.
    if (oid === int8Array) {
      const parse = pg.types.getTypeParser(int8Array, 'text')
      return (text: string) => (parse(text) as string[]).map(Number)
    }
    if (oid === timestamptz) {
      const parse = pg.types.getTypeParser(timestamptz, 'text')
      return (text: string) => (parse(text) as Date).getTime()
    }
    return pg.types.getTypeParser(oid, format as 'text')
  },
}
