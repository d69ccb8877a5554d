import { randomBytes } from 'node:crypto'
import type { Queryable } from '../../db/base/pool.ts'
import { insertSession, type LoginMethod } from '../../db/setup/console-sessions.ts'
import { type ConsoleUser, lockConsoleUser } from '../../db/setup/console-users.ts'
import { loginRequired } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Service } from '../../service.ts'

const sessionDays = 14

/** Returns the token for the cookie; only its hash is stored. */
export async function openSession(
  { baseUrl }: Service,
  tx: Queryable,
  consoleUserId: number,
  way: LoginMethod,
  agent: string | null,
) {
  const session = randomBytes(32).toString('base64url')
  const kept = agent?.slice(0, 300) ?? null
  const isHostBound = baseUrl.startsWith('https:')
  const hash = sha256(session)
  await insertSession(tx, { hash, consoleUserId, days: sessionDays, way, agent: kept, isHostBound })
  return session
}

/** A login that was removed during the request is refused like on the next request. */
export async function lockLogin(tx: Queryable, id: number): Promise<ConsoleUser> {
  const login = await lockConsoleUser(tx, id)
  if (!login) throw loginRequired()
  return login
}
