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
