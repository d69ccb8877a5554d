import type pg from 'pg'
import { queryableOf } from '../../base/queryable.ts'
import { queueCancellations } from '../../cancellations.ts'
import { queueImports } from '../../import-jobs.ts'
import { queueMailsOf } from '../../mails.ts'

// The records that both sides keep of a move. The target records its progress in the transaction that copies;
// the source records the departure before the target opens the CRM. So the two are never open at once, even
// if a process is killed.

type Departure = { move: string; target: string; leftAt: Date | null }

/** Continues the move in progress, or starts a new one. */
export async function beginDeparture(
  source: pg.ClientBase,
  crmId: number,
  target: string,
): Promise<Departure> {
  await source.query(
    `insert into crm_departure (crm_id, move, target) values ($1, gen_random_uuid(), $2) on conflict (crm_id) do nothing`,
    [crmId, target],
  )
  const { rows } = await source.query<Departure>(
    'select move, target, left_at as "leftAt" from crm_departure where crm_id = $1',
    [crmId],
  )
  return rows[0]!
}

/** Returns false if the CRM has already left. */
export async function cancelDeparture(source: pg.ClientBase, crmId: number): Promise<boolean> {
  const { rowCount } = await source.query('delete from crm_departure where crm_id = $1 and left_at is null', [
    crmId,
  ])
  return rowCount === 1
}

type TenantArrival = {
  crmId: string
  idOffset: string
  eraBase: number
  copiedBefore: string | null
  arrivedAt: Date | null
}

export async function findArrival(target: pg.ClientBase, move: string): Promise<TenantArrival | null> {
  const { rows } = await target.query<TenantArrival>(
    `select crm_id::text as "crmId", id_offset::text as "idOffset", era_base as "eraBase",
       copied_before::text as "copiedBefore", arrived_at as "arrivedAt" from crm_origin where move = $1`,
    [move],
  )
  return rows[0] ?? null
}

/** More ids than the source assigns during a move, and than the target assigns while the offset is chosen. */
const room = 2n ** 32n

/**
 * Chooses an id offset that avoids all ids of the target. The target's own sequences continue after the moved
 * ids.
 */
export async function chooseOffset(source: pg.ClientBase, target: pg.ClientBase, tables: string[]) {
  const highest = async (client: pg.ClientBase) => {
    const { rows } = await client.query<{ highest: string }>(
      `select coalesce(max(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(name), 'id')::regclass)), 0)::text
         as highest from unnest($1::text[]) as name`,
      [tables],
    )
    return BigInt(rows[0]!.highest)
  }
  const offset = (await highest(target)) + room
  const next = offset + (await highest(source)) + room
  for (const table of tables)
    await target.query('select setval(pg_get_serial_sequence(quote_ident($1), $2)::regclass, $3::bigint)', [
      table,
      'id',
      String(next),
    ])
  return String(offset)
}

/** Comes after the eras from earlier moves of the CRM. */
export async function chooseEraBase(source: pg.ClientBase, crmId: number): Promise<number> {
  const { rows } = await source.query<{ base: number }>(
    `select coalesce(max(floor(xid::text::numeric / 1125899906842624)), 0)::integer as base from (
       select xid from event where crm_id = $1 and era = 0
       union all select xid from event_pruned where crm_id = $1 and era = 0
       union all select after_xid from webhook where crm_id = $1 and after_era = 0
     ) as former`,
    [crmId],
  )
  return rows[0]!.base
}

export type FormerOrigin = {
  move: string
  idOffset: string
  eraBase: number
  sourceCrmId: string
  linkKeys: Buffer
}

/** Installations that the CRM was moved from before. */
export async function formerOrigins(source: pg.ClientBase, crmId: number): Promise<FormerOrigin[]> {
  const { rows } = await source.query<FormerOrigin>(
    `select move, id_offset::text as "idOffset", era_base as "eraBase", source_crm_id::text as "sourceCrmId",
       link_keys as "linkKeys" from crm_origin where crm_id = $1 and arrived_at is not null`,
    [crmId],
  )
  return rows
}

/** Records the progress in the transaction that copied the rows. */
export async function recordCopied(
  target: pg.ClientBase,
  crmId: string,
  origin: FormerOrigin & { copiedBefore: string },
) {
  await target.query(
    `insert into crm_origin (crm_id, move, id_offset, era_base, source_crm_id, link_keys, copied_before)
     values ($1, $2, $3, $4, $5, $6, $7::xid8)
     on conflict (crm_id, move) do update set copied_before = excluded.copied_before, link_keys = excluded.link_keys`,
    [
      crmId,
      origin.move,
      origin.idOffset,
      origin.eraBase,
      origin.sourceCrmId,
      origin.linkKeys,
      origin.copiedBefore,
    ],
  )
}

/** Records where the CRM was before that. */
export async function recordFormer(target: pg.ClientBase, crmId: string, former: FormerOrigin[]) {
  for (const one of former)
    await target.query(
      `insert into crm_origin (crm_id, move, id_offset, era_base, source_crm_id, link_keys, arrived_at)
       values ($1, $2, $3, $4, $5, $6, now()) on conflict (crm_id, move) do nothing`,
      [crmId, one.move, one.idOffset, one.eraBase, one.sourceCrmId, one.linkKeys],
    )
}

/** Opens the CRM in the target. Call it only after the source has recorded the departure. */
export async function arrive(target: pg.ClientBase, crmId: string, move: string) {
  await target.query('begin')
  const { rowCount } = await target.query(
    'update crm_origin set arrived_at = now() where crm_id = $1 and move = $2 and arrived_at is null',
    [crmId, move],
  )
  if (rowCount) {
    await target.query('update crm set suspended_until = null where id = $1', [crmId])
    const tx = queryableOf(target)
    await queueMailsOf(tx, Number(crmId))
    await queueCancellations(tx, Number(crmId))
    await queueImports(tx, Number(crmId))
  }
  await target.query('commit')
}
