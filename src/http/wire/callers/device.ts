import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findSessionByToken } from '../../../actions/setup/find-caller.ts'
import type { Asker, KnownDevice } from '../../../actions/setup/login-tries.ts'
import type { Service } from '../../../service.ts'
import { clientOf, queueKeyOf } from './clients.ts'
import { hostBoundName, isSecure, setSession } from './session-cookie.ts'

// A browser that has logged in before keeps a signed cookie. It grants no access, only its own login
// attempts, so that strangers behind the same address cannot lock its owner out.

const days = 365
const cookie = 'holdfast_device'

export function deviceOf(service: Service, { cookies }: FastifyRequest): KnownDevice | null {
  const sent = cookies?.[hostBoundName(service, cookie)]
  const [id, loginUuid] = (sent && service.signer.open('device', sent)?.split('/')) || []
  return id && loginUuid ? { id, loginUuid } : null
}

/** The client that tries to log in. Callers on this machine count as one. */
export const askerOf = (service: Service, request: FastifyRequest): Asker => ({
  client: clientOf(service, request) ?? 'local',
  line: queueKeyOf(request),
  device: deviceOf(service, request),
})

/** Sets the cookies of a successful login. */
export async function setLoginCookies(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  session: string,
) {
  setSession(service, reply, session)
  const login = await findSessionByToken(service, session, isSecure(service))
  if (!login) return
  const known = deviceOf(service, request)
  const id = known?.loginUuid === login.uuid ? known.id : randomUUID()
  const signed = service.signer.sign('device', `${id}/${login.uuid}`, Date.now() + days * 86_400_000)
  reply.setCookie(hostBoundName(service, cookie), signed, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(service),
    maxAge: days * 86_400,
  })
}
