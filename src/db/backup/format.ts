import type { Counter } from './tables.ts'

// A backup is text, packed with zstd: a line of JSON about the whole, then for each table a line that names it, its rows as
// PostgreSQL's COPY writes them, a line `\.`, and a line with their number and checksum. The last line says that it is the
// last: a file that was cut off is known by the lack of it.

export const formatName = 'holdfast backup'
export const formatVersion = 1
export const endOfRows = '\\.\n'

export type Head = {
  format: string
  formatVersion: number
  /** Of the program that wrote it. */
  version: string
  takenAt: string
  postgres: string
  migrations: { number: number; name: string; checksum: string | null }[]
  /** From which nobody can tell the SECRET_KEY; null: the database was never used. */
  secretFingerprint: string | null
}

export type TableHead = { table: string; columns: string[] }
export type TableFoot = { rows: number; sha256: string }
export type Foot = { end: true; tables: number; counters: Counter[] }
