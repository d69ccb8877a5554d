import type { Queryable } from '../db/base/pool.ts'
import { beginning, findEvent, lastEvent, lastEventBefore, type Place, prunedUpTo } from '../db/events.ts'
import { cursorExpired, invalidField } from '../errors.ts'
import type { Signer } from '../lib/signer.ts'

// A cursor is a place in the log of one CRM with the uuid of the event that stands there. Signed: it cannot be made up.

/** How far somebody has read. At the very beginning there is no event yet. */
export type Reached = Place & { uuid: string | null }

/** A cursor lasts as long as what it names. */
const never = Date.UTC(9999, 0)

export const writeCursor = (signer: Signer, crmId: number, { era, xid, id, uuid }: Reached) =>
  signer.sign('events', [crmId, era, xid, id, uuid ?? ''].join(' '), never)

export function readCursor(signer: Signer, crmId: number, cursor: string, field = 'after'): Reached {
  const [crm, era, xid, id, uuid] = (signer.open('events', cursor) ?? '').split(' ')
  if (crm !== String(crmId))
    throw invalidField(field, `${field} must be a cursor that was given out as next here, unchanged.`)
  return { era: Number(era), xid: xid!, id: Number(id), uuid: uuid || null }
}

/** Where to read on: behind a cursor, behind all that has happened (`now`), or from the oldest that is kept. */
export async function placeAfter(
  { db, signer }: { db: Queryable; signer: Signer },
  crmId: number,
  after: string | undefined,
): Promise<Reached> {
  if (after === undefined) return oldest(db, crmId)
  if (after === 'now') return (await lastEvent(db, crmId)) ?? oldest(db, crmId)
  return readCursor(signer, crmId, after)
}

/** No transaction is under way for longer. */
const longestTransactionMs = 60_000

/** Behind all that happened before this moment; rather a little too early than too late. */
export const placeSince = async (db: Queryable, crmId: number, moment: number): Promise<Reached> =>
  (await lastEventBefore(db, crmId, moment - longestTransactionMs)) ?? oldest(db, crmId)

/**
 * Refuses a cursor behind which events may have been missed: they are too old and deleted, or the database went back to an
 * earlier state and the event that the cursor names never was. Asked after reading: if it holds then, nothing was deleted
 * while we read.
 */
export async function refuseIfMissed(db: Queryable, crmId: number, reached: Reached) {
  if (await hasMissed(db, crmId, reached)) throw cursorExpired()
}

async function hasMissed(db: Queryable, crmId: number, reached: Reached): Promise<boolean> {
  const event = reached.uuid === null ? null : await findEvent(db, crmId, reached)
  if (event) return event.uuid !== reached.uuid
  const { era, xid, id } = await oldest(db, crmId)
  return era !== reached.era || xid !== reached.xid || id !== reached.id
}

/** Where the log begins today. Whoever had read up to there has missed nothing. */
export async function oldest(db: Queryable, crmId: number): Promise<Reached> {
  return { ...((await prunedUpTo(db, crmId)) ?? beginning), uuid: null }
}
