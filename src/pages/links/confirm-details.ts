import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { detailsDigest, isEmptyDetails, settleDetails } from '../../actions/booking/unconfirmed-details.ts'
import { findOwnDetails, type OwnDetails } from '../../db/booking/unconfirmed-details.ts'
import { actingStaff } from '../../http/wire/callers/acting-staff.ts'
import { html } from '../../lib/html.ts'
import { consumerActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { sendInvalid } from './invalid.ts'

type Request = FastifyRequest<{
  Params: { token: string }
  Querystring: { kept?: unknown; dropped?: unknown }
  Body: { answer?: string; mark?: string } | undefined
}>

/**
 * Anyone can book under any address, so details that a booking adds about a known person are not published.
 * Only that person gets this link, and confirms or rejects the details. GET shows them, POST decides.
 */
export function addDetailsPage(app: FastifyInstance, service: Service) {
  app.get('/details/:token', async (request: Request, reply) => {
    const userUuid = service.signer.open('details', request.params.token)
    const details = userUuid && (await findOwnDetails(service.db, userUuid))
    if (!details) return sendInvalid(service, request, reply)
    service.suspensions.refuseCrm(details.crmId)
    const { kept, dropped } = request.query
    if (isEmptyDetails(details) && (kept || dropped)) return sendSettled(reply, details, Boolean(kept))
    return sendQuestion(reply, details)
  })

  app.post('/details/:token', async (request: Request, reply) => {
    const userUuid = service.signer.open('details', request.params.token)
    const { answer, mark = '' } = request.body ?? {}
    const keep = answer === 'keep'
    const known = userUuid && (await findOwnDetails(service.db, userUuid))
    const staff = known && (await actingStaff(service, request, { crmId: known.crmId }))
    const settled =
      userUuid && (await settleDetails(service, staff || consumerActor, userUuid, { keep, mark }))
    if (!settled) return sendInvalid(service, request, reply)
    if (settled.kind !== 'settled') return sendQuestion(reply, settled.details)
    const answered = keep ? 'kept' : 'dropped'
    return reply.redirect(`/details/${encodeURIComponent(request.params.token)}?${answered}=1`, 303)
  })
}

function sendSettled(reply: FastifyReply, { language }: OwnDetails, keep: boolean) {
  const { detailsConfirmed, detailsConfirmedTitle, detailsDeleted, detailsDeletedTitle } = pageTexts[language]
  const [title, text] = keep
    ? [detailsConfirmedTitle, detailsConfirmed]
    : [detailsDeletedTitle, detailsDeleted]
  return sendPage(reply, 200, language, title, html`<p>${text}</p>`)
}

function sendQuestion(reply: FastifyReply, details: OwnDetails) {
  const texts = pageTexts[details.language]
  if (isEmptyDetails(details))
    return sendPage(reply, 200, details.language, texts.detailsNoneTitle, html`<p>${texts.detailsNone}</p>`)
  const mobiles = [details.mobile, ...details.customers.map(one => one.mobile)]
  const lines = [
    [texts.firstNameLabel, details.firstName],
    [texts.lastNameLabel, details.lastName],
    ...[...new Set(mobiles)].map(mobile => [texts.mobileLabel, mobile]),
  ].filter(([_key, value]) => value)
  const content = html`<p>${texts.detailsQuestion}</p>
    ${lines.map(([label, value]) => html`<p>${label}: <strong>${value}</strong></p>`)}
    <form method="post"><input type="hidden" name="mark" value="${detailsDigest(details)}">
      <div class="row"><button name="answer" value="keep">${texts.detailsConfirmButton}</button>
      <button class="bad" name="answer" value="drop">${texts.detailsDeleteButton}</button></div></form>`
  return sendPage(reply, 200, details.language, texts.detailsTitle, content)
}
