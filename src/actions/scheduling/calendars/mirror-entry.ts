import {
  type DavCollection,
  deleteEntry,
  getEntry,
  putEntry,
  type StoredEntry,
} from '../../../calendars/caldav-entries.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  deleteMirrorEntry,
  isOfAnotherMirror,
  type MirrorEntry,
  type MirrorPlace,
  saveNotice,
  saveWritten,
} from '../../../db/scheduling/calendar-mirrors.ts'

// One entry of a mirror: written, removed, or found changed. What was changed in the calendar is never overwritten.

export type Mirroring = { db: Queryable; place: MirrorPlace; collection: DavCollection; isEnded: boolean }

/** Another process has taken over, or the settings have changed. */
export class LeaseLost extends Error {}

export const assertLeased = (isLeased: boolean) => {
  if (!isLeased) throw new LeaseLost()
}

/** What we wrote last, or sent without learning whether it arrived. */
const isOurs = ({ written, stored, sent }: MirrorEntry, { digest }: StoredEntry) =>
  digest === (stored ?? written) || sent.includes(digest)

export type EntryOutcome = 'done' | 'later' | 'refused'

type Version = { uuid: string; text: string; digest: string }

/** `before` is what was recorded before this version was about to be sent. */
export async function writeEntry(
  mirroring: Mirroring,
  version: Version,
  before: MirrorEntry | undefined,
): Promise<EntryOutcome> {
  const { db, place, collection } = mirroring
  const { uuid, text, digest } = version
  const send = async (etag: string | null): Promise<EntryOutcome | 'conflict'> => {
    const answer = await putEntry(collection, uuid, text, etag)
    if (typeof answer === 'string') return answer
    assertLeased(
      await saveWritten(db, place, uuid, { written: digest, stored: answer.digest, etag: answer.etag }),
    )
    return 'done'
  }
  const outcome = await send(before?.etag ?? null)
  if (outcome !== 'conflict') return outcome
  if (await isOfAnotherMirror(db, place.id, uuid)) return 'later'
  const found = await getEntry(collection, uuid)
  if (!found && !before?.etag) return 'refused'
  if (found?.digest === digest) {
    assertLeased(await saveWritten(db, place, uuid, { written: digest, stored: null, etag: found.etag }))
    return 'done'
  }
  if (!found || !before || !isOurs(before, found)) return saveFound(mirroring, uuid, found)
  const again = await send(found.etag)
  return again === 'conflict' ? 'later' : again
}

/** The booking is cancelled, has moved away, or the mirror was switched off. */
export async function removeEntry(mirroring: Mirroring, entry: MirrorEntry): Promise<EntryOutcome> {
  const { db, place, collection, isEnded } = mirroring
  const { uuid, etag, notice, sent } = entry
  const forget = async (): Promise<EntryOutcome> => {
    assertLeased(await deleteMirrorEntry(db, place, uuid))
    return 'done'
  }
  const isTheirs = notice === 'changed'
  if (isTheirs || (etag === null && sent.length === 0)) return forget()
  if (etag !== null && (await deleteEntry(collection, uuid, etag)) === 'done') return forget()
  const found = await getEntry(collection, uuid)
  if (!found) return forget()
  if (isOurs(entry, found))
    return (await deleteEntry(collection, uuid, found.etag)) === 'done' ? forget() : 'later'
  return isEnded || (await isOfAnotherMirror(db, place.id, uuid))
    ? forget()
    : saveFound(mirroring, uuid, found)
}

/** Compares an entry with what is in the calendar now. */
export async function compareEntry(mirroring: Mirroring, entry: MirrorEntry) {
  const { db, place, collection } = mirroring
  const found = await getEntry(collection, entry.uuid)
  if (!found || !isOurs(entry, found)) return saveFound(mirroring, entry.uuid, found)
  const { written, stored } = entry
  assertLeased(await saveWritten(db, place, entry.uuid, { written, stored, etag: found.etag }))
}

async function saveFound(
  { db, place }: Mirroring,
  uuid: string,
  found: StoredEntry | null,
): Promise<EntryOutcome> {
  const notice = found ? ('changed' as const) : ('deleted' as const)
  assertLeased(await saveNotice(db, place, uuid, { notice, etag: found?.etag ?? null }))
  return 'done'
}
