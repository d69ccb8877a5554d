import { deleteSessionsOf, endLoginLinks } from '../../db/setup/console-sessions.ts'
import { countOperators, deleteConsoleUser, type LoginRow } from '../../db/setup/console-users.ts'
import { lastOperator } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { administrator, mailInvitation, openLogin, operator, tellOfLogins } from './login.ts'

type NewLogin = { email: string; name: string } & (
  | { role: 'operator' }
  | { role: 'administrator'; crm: string }
)

/** Operators and administrators; staff are invited where they work. */
export async function inviteLogin(service: Service, actor: Actor, login: NewLogin) {
  const { email, name } = login
  const isOperator = login.role === 'operator'
  const wanted = isOperator
    ? operator(service, email, name)
    : await administrator(service, login.crm, email, name)
  return service.db.transaction(async tx => {
    const opened = await openLogin(tx, service, actor, wanted)
    await mailInvitation(service, tx, opened, isOperator ? null : login.crm)
    return opened
  })
}

type Known = Pick<LoginRow, 'id' | 'role' | 'crmId'>

/** With all sessions and links. The last operator stays: somebody has to be able to invite the next one. */
export async function removeLogin(service: Service, actor: Actor, { id, role, crmId }: Known) {
  await service.db.transaction(async tx => {
    if (role === 'operator' && (await countOperators(tx)) < 2) throw lastOperator()
    await deleteConsoleUser(tx, id)
    if (crmId !== null) await tellOfLogins(tx, service, actor, crmId)
  })
}

/** Ends what they have open; they can log in again. */
export async function logOutEverywhere({ db }: Service, { id }: Pick<Known, 'id'>): Promise<number> {
  return db.transaction(async tx => {
    await endLoginLinks(tx, id)
    return deleteSessionsOf(tx, id)
  })
}
