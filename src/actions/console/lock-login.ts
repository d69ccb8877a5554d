import type { Queryable } from '../../db/base/pool.ts'
import { type ConsoleUser, lockConsoleUser } from '../../db/setup/console-users.ts'
import { loginRequired } from '../../errors.ts'

/** A login that was removed during the request is refused like on the next request. */
export async function lockLogin(tx: Queryable, id: number): Promise<ConsoleUser> {
  const login = await lockConsoleUser(tx, id)
  if (!login) throw loginRequired()
  return login
}
