import sql, { join, type Sql } from 'sql-template-tag'

// Rows inside of rows travel as arrays: without their names a year of slots is written and read in half the time. One list
// of columns makes both the SQL that packs them and what reads them, so that the two cannot drift apart.

type Columns<Row> = { [Name in keyof Row]: Sql }

/** `[...]` of a Row, in the order of its columns. */
export type Tuple<Row> = readonly unknown[] & { readonly of?: Row }

export function tuplesOf<Row extends object>(columns: Columns<Row>) {
  const names = Object.keys(columns) as (keyof Row)[]
  return {
    /** Some columns may be filled in another way; their order is that of the list. */
    packed: (instead: Partial<Columns<Row>> = {}): Sql =>
      sql`json_build_array(${join(names.map(name => instead[name] ?? columns[name]))})`,
    read(tuple: Tuple<Row>): Row {
      const row = {} as Row
      for (let index = 0; index < names.length; index++) row[names[index]!] = tuple[index] as never
      return row
    },
  }
}
