import pg from 'pg'
import { nameOf } from './names.ts'

// Statements are prepared once a connection, and what their rows look like is asked for once, too.

export type Statement = { name: string | null; text: string }

// Texts are templates in the source, so there are few; those made for a variable number of parts could be many, and past
// this number stay unnamed.
const maximumNames = 500
const statements = new Map<string, Statement>()

export function statementOf(text: string): Statement {
  const known = statements.get(text)
  if (known) return known
  if (statements.size >= maximumNames) return { name: null, text }
  const statement = { name: `q${statements.size}`, text }
  statements.set(text, statement)
  return statement
}

/** How a row is read: the name and the reader of each of its values. */
export type Shape = { names: string[]; readers: ((text: string) => unknown)[] }

export type FoundRow = Record<string, unknown>

export function shapeOf(fields: pg.FieldDef[]): Shape {
  return {
    names: fields.map(field => nameOf(field.name)),
    readers: fields.map(field => typeParsers.getTypeParser(field.dataTypeID, 'text')),
  }
}

export function readRow({ names, readers }: Shape, values: (string | null)[]): FoundRow {
  const row: FoundRow = {}
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    row[names[index]!] = value === null ? null : readers[index]!(value)
  }
  return row
}

/** The shape is known once it was run. */
export type PreparedOne = { name: string; shape: Shape | null }

/** What one connection has prepared. */
export class PreparedStatements {
  private readonly known = new Map<Statement, PreparedOne>()
  private failures = 0

  /** Null: to be sent without a name. There are too many of its kind, or the first one is still under way. */
  of(statement: Statement): PreparedOne | null {
    const known = this.known.get(statement)
    if (known) return known.shape ? known : null
    if (statement.name === null) return null
    // Whether one that failed was prepared before it did is not known: its name is not used again.
    const prepared = { name: `${statement.name}_${this.failures}`, shape: null }
    this.known.set(statement, prepared)
    return prepared
  }

  /** Its first run has failed. */
  forget(statement: Statement) {
    this.known.delete(statement)
    this.failures++
  }
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
