import type { Counter } from './tables.ts'

// A backup is zstd-compressed text: a JSON header line, then for each table a line with its name, its rows in
// COPY format, a line `\.`, and a line with row count and checksum. The last line marks the end, so a
// truncated file is detected.

export const formatName = 'holdfast backup'
export const formatVersion = 1
export const endOfRows = '\\.\n'

export type Head = {
  format: string
  formatVersion: number
  /** The version of the program that wrote the backup. */
  version: string
  takenAt: string
  postgres: string
  migrations: { number: number; name: string; checksum: string | null }[]
  /** Does not reveal the SECRET_KEY. Null if the database was never used. */
  secretFingerprint: string | null
  /** A former key that secrets in it are still encrypted with. Missing in older backups. */
  secretStillNeeded?: string | null
}

export type TableHead = { table: string; columns: string[] }
export type TableFoot = { rows: number; sha256: string }
export type Foot = { end: true; tables: number; counters: Counter[] }
