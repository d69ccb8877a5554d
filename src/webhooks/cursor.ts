import type { Queryable } from '../db/base/pool.ts'
import {
  findEvent,
  type LogPosition,
  lastEvent,
  lastEventBefore,
  logStart,
  placeHere,
  prunedUpTo,
} from '../db/events.ts'
import { cursorExpired } from '../errors.ts'
import type { Signer } from '../lib/signer.ts'

// A cursor is a signed position in the log of one CRM, with the uuid of the event there.

/** How far a client has read. At the very start there is no event yet. */
export type LogCursor = LogPosition & { uuid: string | null }

/** A cursor does not expire by itself. */
const never = Date.UTC(9999, 0)

export const writeCursor = (signer: Signer, crmId: number, { era, xid, id, uuid }: LogCursor) =>
  signer.sign('events', [crmId, era, xid, id, uuid ?? ''].join(' '), never)

export function readCursor(signer: Signer, crmId: number, cursor: string): LogCursor {
  const opened = signer.openFrom('events', cursor)
  const [crm, era, xid, id, uuid] = (opened?.subject ?? '').split(' ')
  const isHere = opened?.isOurs === true && crm === String(crmId)
  const former = opened?.former.find(one => one.crmId === crmId && crm === String(one.sourceCrmId))
  if (!isHere && !former) throw cursorExpired('unknown')
  const place = { era: Number(era), xid: xid!, id: Number(id) }
  return { ...(former && !isHere ? placeHere(place, former.eraBase) : place), uuid: uuid || null }
}

/** Where to continue: after a cursor, after all existing events (`now`), or from the oldest one kept. */
export async function placeAfter(
  { db, signer }: { db: Queryable; signer: Signer },
  crmId: number,
  after: string | undefined,
): Promise<LogCursor> {
  if (after === undefined) return oldestCursor(db, crmId)
  if (after === 'now') return (await lastEvent(db, crmId)) ?? oldestCursor(db, crmId)
  return readCursor(signer, crmId, after)
}

/** No transaction lasts longer. */
const longestTransactionMs = 60_000

/** A position after all events before this moment; a little too early rather than too late. */
export const placeSince = async (db: Queryable, crmId: number, moment: number): Promise<LogCursor> =>
  (await lastEventBefore(db, crmId, moment - longestTransactionMs)) ?? oldestCursor(db, crmId)

/**
 * Refuses a cursor if later events may have been missed: they were deleted, or the database was restored to
 * an earlier state in which the cursor's event does not exist. Checked after reading, so nothing was deleted
 * during the read.
 */
export async function refuseIfMissed(db: Queryable, crmId: number, reached: LogCursor) {
  if (await hasMissed(db, crmId, reached)) throw cursorExpired()
}

async function hasMissed(db: Queryable, crmId: number, reached: LogCursor): Promise<boolean> {
  const event = reached.uuid === null ? null : await findEvent(db, crmId, reached)
  if (event) return event.uuid !== reached.uuid
  const { era, xid, id } = await oldestCursor(db, crmId)
  return era !== reached.era || xid !== reached.xid || id !== reached.id
}

/** The current start of the log. A client that had read up to it has missed nothing. */
export async function oldestCursor(db: Queryable, crmId: number): Promise<LogCursor> {
  return { ...((await prunedUpTo(db, crmId)) ?? logStart), uuid: null }
}
