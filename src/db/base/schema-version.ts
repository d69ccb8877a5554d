import type pg from 'pg'
import { StartError } from '../../lib/start-error.ts'
import { type Migration, ourMigrations } from './migrations.ts'
import { isUndefined } from './postgres-errors.ts'

// Decides which program fits which database. Each migration records the oldest program that still works
// beside it, so that the previous version can keep running during a rolling update.

/** A migration recorded in the database. */
type Applied = { number: number; name: string; checksum: string | null; worksFrom: number }

export type Fit =
  | { kind: 'current'; newest: number }
  | { kind: 'behind'; newest: number; missing: Migration[] }
  | { kind: 'too new'; newest: number }
  | { kind: 'changed'; newest: number; name: string }

export function compare(applied: Applied[], migrations: Migration[]): Fit {
  const known = migrations.at(-1)?.number ?? 0
  const newest = Math.max(0, ...applied.map(one => one.number))
  const byNumber = new Map(applied.map(one => [one.number, one]))
  const changed = migrations.find(one => {
    const seen = byNumber.get(one.number)
    return seen && seen.checksum !== one.checksum
  })
  if (changed) return { kind: 'changed', newest, name: byNumber.get(changed.number)!.name }
  if (applied.some(one => one.worksFrom > known)) return { kind: 'too new', newest }
  const missing = migrations.filter(one => !byNumber.has(one.number))
  return missing.length > 0 ? { kind: 'behind', newest, missing } : { kind: 'current', newest }
}

/** Reads the recorded migrations and compares them with this program. */
export const readFit = async (pool: pg.Pool) => compare(await readApplied(pool), await ourMigrations())

/** For commands that do not migrate: only `serve` and `migrate` do. */
export async function mustBeMigrated(pool: pg.Pool) {
  const fit = await readFit(pool)
  refuseMismatch(fit)
  if (fit.kind === 'behind')
    throw new StartError(
      `The database is not up to date: ${fit.missing.map(one => one.name).join(', ')} ${fit.missing.length === 1 ? 'is' : 'are'} missing. Start holdfast serve of this version, or run holdfast migrate, then try again.`,
    )
}

/** Mismatches that no migration can repair. */
export function refuseMismatch(fit: Fit) {
  if (fit.kind === 'too new')
    throw new StartError(
      `The database was made by a newer version of Holdfast (migration ${fit.newest}), beside which this program cannot work. Update the program, or use another database.`,
    )
  if (fit.kind === 'changed')
    throw new StartError(
      `The database was made by another version: its migration ${fit.name} is not the one that this program brings along. Start the version that made it, or use an empty database (another DATA_DIR or DATABASE_URL).`,
    )
}

/** Recorded migrations; empty for an empty database. */
export async function readApplied(pool: Pick<pg.Pool, 'query'>): Promise<Applied[]> {
  try {
    const { rows } = await pool.query<Applied>(
      'select number, name, checksum, coalesce(works_from, number) as "worksFrom" from migration order by number',
    )
    return rows
  } catch (error) {
    if (isUndefined(error, 'table')) return []
    if (!isUndefined(error, 'column')) throw error
    // From before checksums were recorded.
    const { rows } = await pool.query<Applied>(
      'select number, name, null as checksum, number as "worksFrom" from migration order by number',
    )
    return rows
  }
}
