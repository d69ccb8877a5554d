import sql, { join, type Sql } from 'sql-template-tag'

// Rows inside of rows travel as arrays: without their names a year of slots is written and read in half the time. They are
// texts put together: json_build_array looks up the type of each of its arguments anew for every row. One list of columns
// makes both the SQL that packs them and what reads them, so that the two cannot drift apart.

type Columns<Row> = { [Name in keyof Row]: Sql }

/** `[...]` of a Row, in the order of its columns. */
export type Tuple<Row> = readonly unknown[] & { readonly of?: Row }

/** A list of tuples as the database sends it. */
export type Tuples<Row> = string & { readonly of?: Row }

// Columns as JSON. What may be missing says so.

export const number = (column: Sql) => sql`${column}`
export const numberOrNull = (column: Sql) => sql`coalesce(${column}::text, 'null')`
export const flag = (column: Sql) => sql`case when ${column} then 'true' else 'false' end`
/** Letters that mean nothing in JSON, such as those of a uuid. */
export const plain = (column: Sql) => sql`'"' || ${column} || '"'`
/** Any text. */
export const text = (column: Sql) => sql`to_json(${column})`
export const textOrNull = (column: Sql) => sql`coalesce(to_json(${column})::text, 'null')`
export const jsonOrNull = (value: Sql) => sql`coalesce(${value}::text, 'null')`
export const nothing = sql`'null'`

const packed = (parts: Sql[]) => sql`concat('[', ${join(parts, ", ',', ")}, ']')`

/** All rows as one text, in no order: whoever needs one puts them in it in a fraction of the time. */
export const listed = (row: Sql) => sql`concat('[', string_agg(${row}, ','), ']')`

export function tuplesOf<Row extends object>(columns: Columns<Row>) {
  const names = Object.keys(columns) as (keyof Row)[]
  const read = (tuple: Tuple<Row>): Row => {
    const row = {} as Row
    for (let index = 0; index < names.length; index++) row[names[index]!] = tuple[index] as never
    return row
  }
  return {
    /** One row. Some columns may be filled in another way; their order is that of the list. */
    packed: (instead: Partial<Columns<Row>> = {}): Sql =>
      packed(names.map(name => instead[name] ?? columns[name])),
    /** One row without brackets, for lists of nothing else but what has some. None of its columns may be missing. */
    loose: (): Sql => sql`concat_ws(',', ${join(Object.values<Sql>(columns), ', ')})`,
    /** How many columns. */
    width: names.length,
    read,
    /** Where each column is in a loose one, for whoever reads hundreds of them. */
    places: Object.fromEntries(names.map((name, index) => [name, index])) as Record<keyof Row, number>,
    readAll: (tuples: Tuples<Row>): Row[] => (JSON.parse(tuples) as Tuple<Row>[]).map(read),
  }
}
