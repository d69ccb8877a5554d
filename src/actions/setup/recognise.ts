import { timingSafeEqual } from 'node:crypto'
import { findSession, touchSession } from '../../db/setup/console-sessions.ts'
import type { ConsoleUser } from '../../db/setup/console-users.ts'
import { findLiveKey, type LiveKey, touchKey } from '../../db/setup/keys.ts'
import { sha256 } from '../../lib/hash.ts'
import { apiKeyPattern } from '../../rules/setting-values.ts'
import type { Service } from '../../service.ts'

// Who is asking. When a key or a session was used last is noted beside it, and nobody waits for that.

export async function recogniseKey({ db }: Service, sent: string): Promise<LiveKey | null> {
  if (!apiKeyPattern.test(sent)) return null
  const sentHash = sha256(sent)
  const key = await findLiveKey(db, sentHash)
  // The look-up is by hash already; the comparison keeps it constant-time whatever index finds it.
  if (!key || !timingSafeEqual(key.hash, sentHash)) return null
  touchKey(db, key.id).catch(() => {})
  return key
}

export async function recogniseSession({ db }: Service, cookie: string): Promise<ConsoleUser | null> {
  const hash = sha256(cookie)
  const user = await findSession(db, hash)
  if (user) touchSession(db, hash).catch(() => {})
  return user
}
