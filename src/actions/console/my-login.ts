import {
  deleteSession,
  deleteSessionByUuid,
  deleteSessionsOf,
  isFreshlyLinked,
} from '../../db/setup/console-sessions.ts'
import { type ConsoleUser, updateConsoleUser } from '../../db/setup/console-users.ts'
import { invalidField, missingField, notFound } from '../../errors.ts'
import { hashPassword, isPassword } from '../../lib/password.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { lockLogin } from './lock-login.ts'

/** Name and language. Only what is named changes. */
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

/**
 * Whoever sits at a session that somebody left open does not get to keep it: the old password is asked for, or a login
 * by mail a moment ago. Everybody else who is logged in under this name has to do it again.
 */
export async function setPassword(
  { db, passwordCost }: Service,
  loginId: number,
  session: Buffer,
  { current, password }: Change,
) {
  const hash = await hashPassword(password, passwordCost)
  await db.transaction(async tx => {
    const login = await lockLogin(tx, loginId)
    if (password.toLowerCase().includes(login.email.toLowerCase()))
      throw invalidField('password', 'The password must not contain your email address.')
    if (login.passwordHash && !(await isFreshlyLinked(tx, session))) {
      if (!current)
        throw missingField('current', 'Type your current password, or log in by a link from your mailbox.')
      if (!(await isPassword(current, login.passwordHash, passwordCost)))
        throw invalidField('current', 'This is not your current password.')
    }
    await updateConsoleUser(tx, loginId, { passwordHash: hash })
    await deleteSessionsOf(tx, loginId, session)
  })
}

export const endSession = ({ db }: Service, session: Buffer) => deleteSession(db, session)

/** Whoever uses it has to log in again. */
export async function endMySession({ db }: Service, loginId: number, uuid: string) {
  const isEnded = isUuid(uuid) && (await deleteSessionByUuid(db, loginId, uuid))
  if (!isEnded) throw notFound('session', uuid)
}

/** All of mine but the one that asks. */
export const endOtherSessions = ({ db }: Service, loginId: number, mine: Buffer | null) =>
  deleteSessionsOf(db, loginId, mine)
