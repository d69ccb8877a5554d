import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { findSessionByToken } from '../../../actions/setup/find-caller.ts'
import type { Actor } from '../../../rules/messages/events.ts'
import type { Service } from '../../../service.ts'
import { rolesOf } from './auth.ts'
import { sessionIn } from './session-cookie.ts'

// Staff can open a customer's link in their own browser. The event must then name them, not the customer.

/** The login of the browser, if it may work for this Provider or, without one, in this CRM. */
export async function actingStaff(
  service: Service,
  request: FastifyRequest,
  { providerId, crmId }: { providerId?: number; crmId: number },
): Promise<Actor | null> {
  const found = sessionIn(service, request)
  const login = found && (await findSessionByToken(service, found.session, found.isHostBound))
  if (!login) return null
  const roles = rolesOf(login)
  const isTheirs = providerId === undefined ? login.crmId === crmId : roles?.has(providerId)
  return isTheirs || roles === null ? { kind: 'console', name: login.uuid } : null
}

const header = 'x-acting-staff'
/** Known only to this process, so that only its own pages can name the actor. */
const secret = randomUUID()

/** For requests that a page sends to the API on behalf of the browser. */
export const actingHeader = (actor: Actor | null): Record<string, string> =>
  actor?.name ? { [header]: `${secret} ${actor.name}` } : {}

export function actorIn(headers: IncomingHttpHeaders): Actor | null {
  const [sent, name] = String(headers[header] ?? '').split(' ')
  return sent === secret && name ? { kind: 'console', name } : null
}
