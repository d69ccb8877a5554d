import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findUserByUuid, markVerified, type UserRow } from '../../db/setup/users.ts'
import { pickLanguage } from '../../languages.ts'
import { html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'

type Request = FastifyRequest<{ Params: { token: string } }>

/** GET and HEAD only show, since mail scanners open every link; POST confirms the address. */
export function addVerifyPage(app: FastifyInstance, service: Service) {
  app.get('/verify/:token', async (request: Request, reply) => {
    const found = await userOfToken(service, request.params.token)
    if (!found) return sendInvalid(service, request, reply)
    if (found.user.verifiedAt !== null) return sendVerified(reply, found.user)
    const texts = pageTexts[found.user.language]
    const content = html`<p>${texts.verifyQuestion}</p><p><strong>${found.user.email}</strong></p>
      <form method="post"><button>${texts.verifyButton}</button></form>`
    return sendPage(reply, 200, found.user.language, texts.verifyTitle, content)
  })

  app.post('/verify/:token', async (request: Request, reply) => {
    const found = await userOfToken(service, request.params.token)
    if (!found || !(await markVerified(service.db, found.user.uuid, found.nonce)))
      return sendInvalid(service, request, reply)
    return sendVerified(reply, found.user)
  })
}

function sendVerified(reply: FastifyReply, { language }: UserRow) {
  const texts = pageTexts[language]
  return sendPage(reply, 200, language, texts.verifiedTitle, html`<p>${texts.verified}</p>`)
}

async function userOfToken(
  { signer, db }: Service,
  token: string,
): Promise<{ user: UserRow; nonce: string } | null> {
  const [uuid, nonce] = signer.open('verify', token)?.split(':') ?? []
  const user = uuid && nonce ? await findUserByUuid(db, uuid) : null
  return user && user.verificationNonce === nonce ? { user, nonce } : null
}

/** Says nothing about why: a stranger learns nothing from it. */
export function sendInvalid({ config }: Service, request: FastifyRequest, reply: FastifyReply) {
  const language = pickLanguage(request.headers['accept-language'], config.language)
  const texts = pageTexts[language]
  return sendPage(reply, 404, language, texts.invalidTitle, html`<p>${texts.invalid}</p>`)
}
