import sql, { join, raw, Sql } from 'sql-template-tag'
import { columnOf } from './driver/names.ts'

/** A value for a jsonb parameter; the driver would encode plain text and arrays differently. */
export const json = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))

/** Rows for jsonb_to_recordset, with column names as keys. */
export const jsonRows = (rows: object[]): string => JSON.stringify(rows.map(asColumns))

/** Avoids intermediate entry lists: batches of holds and bookings pass through here. */
function asColumns(row: object) {
  const columns: Record<string, unknown> = {}
  for (const name in row) columns[columnOf(name)] = row[name as keyof typeof row]
  return columns
}

type Part = Sql | { before: string; value: Sql; after: string }

/** A value between constant texts. */
export const around = (before: string, value: Sql, after: string): Part => ({ before, value, after })

/**
 * An object as JSON text; the compiler checks its fields. Concatenated texts, because json_build_object looks
 * up the type of each argument for every row.
 */
export function jsonText<T>(fields: { [Name in keyof T]-?: Part }): Sql {
  let text = '{'
  const parts = Object.entries<Part>(fields).flatMap(([name, part], index) => {
    const { before, value, after } = part instanceof Sql ? { before: '', value: part, after: '' } : part
    const literal = raw(`'${text}${index > 0 ? ',' : ''}"${name}":${before}'`)
    text = after
    return [literal, value]
  })
  return sql`concat(${join([...parts, raw(`'${text}}'`)], ', ')})`
}
