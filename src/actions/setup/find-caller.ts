import { timingSafeEqual } from 'node:crypto'
import { findSession, touchSession } from '../../db/setup/console-sessions.ts'
import type { ConsoleUser } from '../../db/setup/console-users.ts'
import { findLiveKey, type LiveKey, touchKey } from '../../db/setup/keys.ts'
import { sha256 } from '../../lib/hash.ts'
import { apiKeyPattern } from '../../rules/setting-values.ts'
import type { Service } from '../../service.ts'

// Identifies the caller. The last use of a key or session is recorded in the background, so that it delays no
// response.

export async function findKeyByToken({ db }: Service, sent: string): Promise<LiveKey | null> {
  if (!apiKeyPattern.test(sent)) return null
  const sentHash = sha256(sent)
  const key = await findLiveKey(db, sentHash)
  // The lookup is by hash already; the comparison keeps it constant-time whatever index finds it.
  if (!key || !timingSafeEqual(key.hash, sentHash)) return null
  touchKey(db, key.id).catch(() => {})
  return key
}

/** A session that was opened under a host-bound cookie is not accepted under another name. */
export async function findSessionByToken(
  { db }: Service,
  cookie: string,
  isHostBound: boolean,
): Promise<ConsoleUser | null> {
  const hash = sha256(cookie)
  const user = await findSession(db, hash, isHostBound)
  if (user) touchSession(db, hash).catch(() => {})
  return user
}
