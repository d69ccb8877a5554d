import pg from 'pg'
import { nameOf } from './names.ts'

// Statements are prepared once per connection, and their row shape is read once.

export type Statement = { name: string | null; text: string }

// Statement texts are templates in the source, so there are few. Texts with a variable number of parts could
// be many; beyond this number they stay unnamed.
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

/** How to read a row: name and parser of each value. */
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

/** The shape is known after the first run. */
export type PreparedOne = { name: string; shape: Shape | null }

/** The prepared statements of one connection. */
export class PreparedStatements {
  private readonly known = new Map<Statement, PreparedOne>()
  private failures = 0

  /** Null: send it unnamed, because there are too many or the first run is still in flight. */
  of(statement: Statement): PreparedOne | null {
    const known = this.known.get(statement)
    if (known) return known.shape ? known : null
    if (statement.name === null) return null
    // A statement that failed may or may not have been prepared, so its name is not reused.
    const prepared = { name: `${statement.name}_${this.failures}`, shape: null }
    this.known.set(statement, prepared)
    return prepared
  }

  /** Called when its first run failed. */
  forget(statement: Statement) {
    this.known.delete(statement)
    this.failures++
  }
}

const int8 = 20
const int8Array: number = 1016
const timestamptz = 1184

// Instants are epoch milliseconds everywhere above this layer; ids stay far below 2^53.
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
    return pg.types.getTypeParser(oid, format as 'text')
  },
}
