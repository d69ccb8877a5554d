import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { userToVerify, verifyEmail } from '../../actions/setup/verify-email.ts'
import type { UserRow } from '../../db/setup/users.ts'
import { html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { sendUnreadable } from './invalid.ts'

type Request = FastifyRequest<{ Params: { token: string } }>

/** GET and HEAD change nothing, since mail scanners open every link; POST confirms the address. */
export function addVerifyPage(app: FastifyInstance, service: Service) {
  app.get('/verify/:token', async (request: Request, reply) => {
    const user = await userToVerify(service, request.params.token)
    if (!user) return sendUnreadable(service, request, reply)
    if (user.verifiedAt !== null) return sendVerified(reply, user)
    const texts = pageTexts[user.language]
    const content = html`<p>${texts.verifyQuestion}</p><p><strong>${user.email}</strong></p>
      <form method="post"><button>${texts.verifyButton}</button></form>`
    return sendPage(reply, 200, user.language, texts.verifyTitle, content)
  })

  app.post('/verify/:token', async (request: Request, reply) => {
    const user = await verifyEmail(service, request.params.token)
    if (!user) return sendUnreadable(service, request, reply)
    return reply.redirect(`/verify/${encodeURIComponent(request.params.token)}`, 303)
  })
}

function sendVerified(reply: FastifyReply, { language }: UserRow) {
  const texts = pageTexts[language]
  return sendPage(reply, 200, language, texts.verifiedTitle, html`<p>${texts.verified}</p>`)
}
