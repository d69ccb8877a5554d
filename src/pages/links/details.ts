import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isNothing, markOf, settleDetails } from '../../actions/booking/own-details.ts'
import { findOwnDetails, type OwnDetails } from '../../db/booking/own-details.ts'
import { html } from '../../lib/html.ts'
import { aConsumer } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { sendInvalid } from './verify.ts'

type Request = FastifyRequest<{
  Params: { token: string }
  Body: { answer?: string; mark?: string } | undefined
}>

/**
 * Anybody can book under anybody's address, and what they say of that person is kept from others. Here that person, who
 * alone gets the link, says whether it is right. GET shows, POST settles.
 */
export function addDetailsPage(app: FastifyInstance, service: Service) {
  app.get('/details/:token', async (request: Request, reply) => {
    const userUuid = service.signer.open('details', request.params.token)
    const details = userUuid && (await findOwnDetails(service.db, userUuid))
    return details ? sendQuestion(reply, details) : sendInvalid(service, request, reply)
  })

  app.post('/details/:token', async (request: Request, reply) => {
    const userUuid = service.signer.open('details', request.params.token)
    const { answer, mark = '' } = request.body ?? {}
    const keep = answer === 'keep'
    const settled = userUuid && (await settleDetails(service, aConsumer, userUuid, { keep, mark }))
    if (!settled) return sendInvalid(service, request, reply)
    if (settled.kind !== 'settled') return sendQuestion(reply, settled.details)
    const { language } = settled.details
    const { detailsKept, detailsKeptTitle, detailsDropped, detailsDroppedTitle } = pageTexts[language]
    const [title, text] = keep ? [detailsKeptTitle, detailsKept] : [detailsDroppedTitle, detailsDropped]
    return sendPage(reply, 200, language, title, html`<p>${text}</p>`)
  })
}

function sendQuestion(reply: FastifyReply, details: OwnDetails) {
  const texts = pageTexts[details.language]
  if (isNothing(details))
    return sendPage(reply, 200, details.language, texts.detailsNoneTitle, html`<p>${texts.detailsNone}</p>`)
  const mobiles = [details.mobile, ...details.customers.map(one => one.mobile)]
  const lines = [
    [texts.firstNameLabel, details.firstName],
    [texts.lastNameLabel, details.lastName],
    ...[...new Set(mobiles)].map(mobile => [texts.mobileLabel, mobile]),
  ].filter(([, value]) => value)
  const content = html`<p>${texts.detailsQuestion}</p>
    ${lines.map(([label, value]) => html`<p>${label}: <strong>${value}</strong></p>`)}
    <form method="post"><input type="hidden" name="mark" value="${markOf(details)}">
      <div class="row"><button name="answer" value="keep">${texts.detailsKeep}</button>
      <button class="bad" name="answer" value="drop">${texts.detailsDrop}</button></div></form>`
  return sendPage(reply, 200, details.language, texts.detailsTitle, content)
}
