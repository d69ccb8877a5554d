import Type from 'typebox'
import type { Invitation } from '../../../actions/console/login-links.ts'
import type { Invited } from '../../../actions/console/people.ts'
import { type ConsoleCaller, providersWith } from '../../../callers.ts'
import { providerIdsOf } from '../../../db/setup/invitations.ts'
import { hasRight } from '../../../rules/access.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { Moment } from '../../wire/fields.ts'

export const InvitationRecord = Type.Object(
  { link: Type.String({ description: 'Opens the console once.' }), expiresAt: Moment },
  {
    title: 'Invitation',
    description: 'To pass on yourself: without a mail server it is not sent.',
  },
)

/** Without a mail server the inviting person passes on the link; with one, only the recipient gets it. */
export const linkToPassOn = ({ config }: Service, { link, expiresAt }: Invitation) =>
  config.smtpUrl === null ? { link, expiresAt: toUtcText(expiresAt) } : null

/**
 * A link logs in as the invited person. Owners only receive it for new logins that work for no other
 * Provider, because it would give them access elsewhere; administrators and operators already have the rights
 * of their CRM's staff.
 */
export async function linkToPassOnFor(
  service: Service,
  caller: ConsoleCaller,
  { opened: { login, userId }, invitation }: Invited,
) {
  if (hasRight(caller.role, 'crm')) return linkToPassOn(service, invitation)
  const isNew = login === null || (login.lastLoginAt === null && login.passwordHash === null)
  const worksFor = userId === null ? [] : await providerIdsOf(service.db, userId)
  const managed = providersWith(caller, 'manage') ?? []
  const isOnlyHere = worksFor.every(id => managed.includes(id))
  return isNew && isOnlyHere ? linkToPassOn(service, invitation) : null
}
