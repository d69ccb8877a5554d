import type { Queryable } from '../../db/base/pool.ts'
import { deleteSessionsOf, endLoginLinks } from '../../db/setup/console-sessions.ts'
import { countOperators, deleteConsoleUser, type LoginRow } from '../../db/setup/console-users.ts'
import { deleteInvitation } from '../../db/setup/invitations.ts'
import { endFeedsOfLogin } from '../../db/setup/staff-departure.ts'
import { lastOperator } from '../../errors.ts'
import type { Actor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { administrator, openLogin, operator, recordLoginChange } from './login.ts'
import { mailInvitation } from './login-links.ts'

type NewLogin = { email: string; name: string } & (
  | { role: 'operator' }
  | { role: 'administrator'; crm: string }
)

/** For operators and administrators; staff are invited by their Provider. */
export async function inviteLogin(service: Service, actor: Actor, login: NewLogin) {
  const { email, name } = login
  const isOperator = login.role === 'operator'
  const wanted = isOperator
    ? operator(service, email, name)
    : await administrator(service, login.crm, email, name)
  return service.db.transaction(async tx => {
    const opened = await openLogin(tx, service, actor, wanted)
    return mailInvitation(service, tx, opened, isOperator ? null : login.crm)
  })
}

type Known = Pick<LoginRow, 'id' | 'uuid' | 'role' | 'crmId'>

/**
 * Also removes all sessions and links. The last operator cannot be removed: otherwise no one could invite the
 * next.
 */
export async function removeLogin(service: Service, actor: Actor, { id, uuid, role, crmId }: Known) {
  await service.db.transaction(async tx => {
    if (role === 'operator' && (await countOperators(tx)) < 2) throw lastOperator()
    await (id === null ? deleteInvitation(tx, uuid) : deleteConsoleUser(tx, id))
    // Staff keep what belongs to their work until they are removed from the Provider.
    if (role !== 'staff') await endCalendars(tx, service, actor, uuid)
    if (crmId !== null) await recordLoginChange(tx, service, actor, crmId)
  })
}

async function endCalendars(tx: Queryable, service: Service, actor: Actor, uuid: string) {
  for (const provider of await endFeedsOfLogin(tx, uuid))
    await recordEvents(tx, service, {
      actor,
      provider,
      events: { 'settings.changed': [{ detail: 'calendar' }] },
    })
}

/** Ends all sessions; the person can log in again. */
export async function logOutEverywhere({ db }: Service, { id }: Pick<Known, 'id'>): Promise<number> {
  if (id === null) return 0
  return db.transaction(async tx => {
    await endLoginLinks(tx, id)
    return deleteSessionsOf(tx, id)
  })
}
