import { sealedColumns } from '../../base/sealed-columns.ts'
import { freeFormerSlugs, freeSlug } from '../tenant.ts'
import { applyStaged } from './apply.ts'
import { missingIds, readChanges } from './changes.ts'
import type { MovedTable } from './columns.ts'
import { type FormerOrigin, recordCopied } from './records.ts'
import { prepareStaging, type Sides, stage, stagingOf, type TenantSnapshot } from './stage.ts'

/** Re-encrypts staged secrets from the source's key to the target's. */
type Reseal = (purpose: string, sealed: Buffer) => Buffer

type Round = TenantSnapshot & { tables: MovedTable[]; origin: FormerOrigin; reseal: Reseal }

/** `before` is the `changedSince` of the next round. */
type Copied = { rows: number; before: string }

/**
 * Brings the target to one snapshot of the source, in one transaction that also records the progress. After a
 * crash, the next round continues from the last complete one.
 */
export async function copyRound(sides: Sides, round: Round): Promise<Copied> {
  const { source, target } = sides
  const targetCrmId = String(BigInt(round.crmId) + BigInt(round.idOffset))
  await source.query('begin isolation level repeatable read, read only')
  await target.query('begin')
  try {
    const { rows } = await source.query<{ before: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as before',
    )
    const { before } = rows[0]!
    const changes = round.changedSince === null ? null : await readChanges(source, round.changedSince)
    const tables = round.tables.filter(table => !table.hasId || !changes || changes.has(table.name))
    await prepareStaging(target, tables)
    const staged = new Map<MovedTable, number>()
    for (const table of tables) {
      staged.set(table, await stage(sides, table, round, changes?.get(table.name) ?? null))
      await resealStaged(sides, table, round.reseal)
      if (table.name === 'provider') await renameStaged(sides, table)
    }
    const removals = await missingIds(target, tables, round, changes, targetCrmId)
    const changed = tables.filter(table => staged.get(table)! > 0 || !table.hasId)
    await applyStaged(target, changed, removals, targetCrmId)
    await recordCopied(target, targetCrmId, { ...round.origin, copiedBefore: before })
    await target.query('commit')
    return { rows: staged.values().reduce((sum, one) => sum + one, 0), before }
  } catch (error) {
    await target.query('rollback').catch(() => {})
    throw error
  } finally {
    await source.query('rollback').catch(() => {})
  }
}

/** A name may lead elsewhere in the target. A later round finds the same slug. */
const arriving = { id: 'one.id', crmId: 'one.crm_id' }

async function renameStaged({ target }: Sides, table: MovedTable) {
  await target.query(
    `update ${stagingOf(table)} as one set former_slugs = ${freeFormerSlugs('one.former_slugs', arriving)},
       slug = case when slug is not null then ${freeSlug('one.slug', arriving, stagingOf(table))} end
     where slug is not null or former_slugs <> '{}'`,
  )
}

async function resealStaged({ target }: Sides, table: MovedTable, reseal: Reseal) {
  for (const { column, purpose } of sealedColumns.filter(one => one.table === table.name)) {
    const { rows } = await target.query<{ id: string; sealed: Buffer }>(
      `select id::text as id, ${column} as sealed from ${stagingOf(table)} where ${column} is not null`,
    )
    for (const { id, sealed } of rows)
      await target.query(`update ${stagingOf(table)} set ${column} = $2 where id = $1::bigint`, [
        id,
        reseal(purpose, sealed),
      ])
  }
}
