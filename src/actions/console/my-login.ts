import {
  deleteSession,
  deleteSessionByUuid,
  deleteSessionsOf,
  isFreshlyLinked,
} from '../../db/setup/console-sessions.ts'
import { type ConsoleUser, findConsoleUser, updateConsoleUser } from '../../db/setup/console-users.ts'
import { invalidField, missingField, notFound } from '../../errors.ts'
import { hashPassword, isPassword } from '../../lib/password.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { lockLogin } from './open-session.ts'

/** Changes name and language; only the fields sent. */
export async function changeMyLogin(
  { db }: Service,
  loginId: number,
  change: Partial<Pick<ConsoleUser, 'name' | 'language'>>,
  check: (current: ConsoleUser) => void,
) {
  await db.transaction(async tx => {
    check(await lockLogin(tx, loginId))
    await updateConsoleUser(tx, loginId, change)
  })
}

type Change = { current?: string | null; password: string }

/** Computed without a connection; compared with the stored hash under the lock of the login. */
type CheckedPassword = { hash: string; checked: string | null; isCurrent: boolean }

export async function checkPassword(
  service: Service,
  loginId: number,
  { current, password }: Change,
): Promise<CheckedPassword> {
  const asker = `login ${loginId}`
  const checked = (await findConsoleUser(service.db, loginId))?.passwordHash ?? null
  const isCurrent = !!current && (await isPassword(service, asker, current, checked))
  return { hash: await hashPassword(service, asker, password), checked, isCurrent }
}

/**
 * Requires the old password, or a recent login by email, so that an open session is not enough to take over
 * the login. Ends all other sessions.
 */
export async function setPassword(
  { db }: Service,
  loginId: number,
  session: Buffer,
  { current, password }: Change,
  { hash, checked, isCurrent }: CheckedPassword,
) {
  await db.transaction(async tx => {
    const login = await lockLogin(tx, loginId)
    if (password.toLowerCase().includes(login.email.toLowerCase()))
      throw invalidField('password', 'password-email')
    if (login.passwordHash && !(await isFreshlyLinked(tx, session))) {
      if (!current) throw missingField('current', 'current-password')
      // Another password may have been set while this one was checked.
      if (!isCurrent || login.passwordHash !== checked) throw invalidField('current', 'password-wrong')
    }
    await updateConsoleUser(tx, loginId, { passwordHash: hash })
    await deleteSessionsOf(tx, loginId, session)
  })
}

export const endSession = ({ db }: Service, session: Buffer) => deleteSession(db, session)

/** That device has to log in again. */
export async function endMySession({ db }: Service, loginId: number, uuid: string) {
  const isEnded = isUuid(uuid) && (await deleteSessionByUuid(db, loginId, uuid))
  if (!isEnded) throw notFound('session', uuid)
}

/** Ends all sessions of the login except the current one. */
export const endOtherSessions = ({ db }: Service, loginId: number, mine: Buffer | null) =>
  deleteSessionsOf(db, loginId, mine)
