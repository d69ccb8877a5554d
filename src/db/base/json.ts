import { columnOf } from './driver/names.ts'

/** A value for a jsonb parameter; the driver would send a plain text or an array as something else. */
export const json = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))

/** Rows for jsonb_to_recordset, which knows them by the names of columns. */
export const jsonRows = (rows: object[]): string => JSON.stringify(rows.map(asColumns))

/** Without lists of entries in between: groups of holds and bookings go through here. */
function asColumns(row: object) {
  const columns: Record<string, unknown> = {}
  for (const name in row) columns[columnOf(name)] = row[name as keyof typeof row]
  return columns
}
