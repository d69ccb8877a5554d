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

export type Part = Sql | { before: string; value: Sql; after: string }

/** A value between constant texts. */
export const around = (before: string, value: Sql, after: string): Part => ({ before, value, after })

/** Any value as JSON, including null. */
export const asJson = (value: Sql) => sql`coalesce(to_json(${value}), 'null'::json)`

/** An instant, always with milliseconds. */
export const utcMs = (at: Sql) =>
  around('"', sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`, 'Z"')

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

/** A page of a list as comma-separated JSON records. `next`: where the next one starts; null after the last. */
export type TextPage<Place> = { count: number; text: string; next: Place | null }

/** Memory holds two pages, however long the list: while one is sent, the database reads the next. */
export async function* textPages<Place>(
  read: (place: Place) => Promise<TextPage<Place>>,
  first: Place,
): AsyncGenerator<string, undefined> {
  let coming: Promise<TextPage<Place>> | null = read(first)
  while (coming) {
    const page: TextPage<Place> = await coming
    coming = page.next === null ? null : read(page.next)
    // If the reader stops early, this page is never awaited.
    coming?.catch(() => {})
    if (page.count > 0) yield page.text
  }
}
