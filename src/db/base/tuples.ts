import sql, { join, type Sql } from 'sql-template-tag'

// Nested rows travel as arrays: without names, a year of slots is written and read in half the time. They are
// concatenated texts, because json_build_array looks up the type of each argument for every row. One column
// list produces both the packing SQL and the reader, so the two cannot drift apart.

type Columns<Row> = { [Name in keyof Row]: Sql }

/** `[...]` of a row, in column order. */
export type Tuple<Row> = readonly unknown[] & { readonly of?: Row }

/** A list of tuples as the database sends it. */
export type Tuples<Row> = string & { readonly of?: Row }

// Columns as JSON. Nullable columns use the variants that say so.

export const number = (column: Sql) => sql`${column}`
export const numberOrNull = (column: Sql) => sql`coalesce(${column}::text, 'null')`
export const flag = (column: Sql) => sql`case when ${column} then 'true' else 'false' end`
/** Characters that need no escaping in JSON, such as those of a uuid. */
export const plain = (column: Sql) => sql`'"' || ${column} || '"'`
/** Any text. */
export const text = (column: Sql) => sql`to_json(${column})`
export const textOrNull = (column: Sql) => sql`coalesce(to_json(${column})::text, 'null')`
export const jsonOrNull = (value: Sql) => sql`coalesce(${value}::text, 'null')`
export const nothing = sql`'null'`

const packed = (parts: Sql[]) => sql`concat('[', ${join(parts, ", ',', ")}, ']')`

/** All rows as one text, unordered: sorting in the program is much faster. */
export const listed = (row: Sql) => sql`concat('[', string_agg(${row}, ','), ']')`

export function tuplesOf<Row extends object>(columns: Columns<Row>) {
  const names = Object.keys(columns) as (keyof Row)[]
  const read = (tuple: Tuple<Row>): Row => {
    const row = {} as Row
    for (let index = 0; index < names.length; index++) row[names[index]!] = tuple[index] as never
    return row
  }
  return {
    /** One row. Some columns may be replaced; the order stays. */
    packed: (instead: Partial<Columns<Row>> = {}): Sql =>
      packed(names.map(name => instead[name] ?? columns[name])),
    /** One row without brackets, for flat lists. No column may be null. */
    loose: (): Sql => sql`concat_ws(',', ${join(Object.values<Sql>(columns), ', ')})`,
    /** Number of columns. */
    width: names.length,
    read,
    /** The position of each column, for readers of flat lists. */
    places: Object.fromEntries(names.map((name, index) => [name, index])) as Record<keyof Row, number>,
    readAll: (tuples: Tuples<Row>): Row[] => (JSON.parse(tuples) as Tuple<Row>[]).map(read),
  }
}
