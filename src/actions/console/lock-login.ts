import type { Queryable } from '../../db/base/pool.ts'
import { type ConsoleUser, lockConsoleUser } from '../../db/setup/console-users.ts'
import { loginRequired } from '../../errors.ts'

/** Whoever's login was taken away while they asked is nobody any more, like the next time they ask. */
export async function lockLogin(tx: Queryable, id: number): Promise<ConsoleUser> {
  const login = await lockConsoleUser(tx, id)
  if (!login) throw loginRequired()
  return login
}
