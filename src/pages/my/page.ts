import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noEmailTexts } from '../../../web/shared/email-texts.ts'
import { check, limits, noFields } from '../../../web/shared/fields.ts'
import { type OwnPage, openOwnPage, requestErasure, sendOwnPageLink } from '../../actions/booking/own-page.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import type { EntryRecord } from '../../db/scheduling/waiting-entries.ts'
import { findProviderById, findProviderByUuid, type ProviderRow } from '../../db/setup/providers.ts'
import { findResourceByUuid } from '../../db/setup/resources.ts'
import { limitRate } from '../../http/wire/callers/overload.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import {
  answersLink,
  bookAgainPath,
  confirmationLink,
  moveLink,
  shortCancelLink,
  waitingLink,
} from '../../links.ts'
import { wishLines } from '../../messages/content/wish-text.ts'
import { emailsOfProvider } from '../../messages/emails-of-provider.ts'
import { textsIn } from '../../messages/texts/index.ts'
import { forConsumer } from '../../rules/questions/define.ts'
import { readableAnswers } from '../../rules/questions/readable.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { sendPage } from '../layout.ts'
import { briefSummary, lookOfProvider, restOfSummary } from '../links/booking-summary.ts'
import { sendInvalid } from '../links/invalid.ts'
import { detailLines } from '../record/record.ts'
import { pageTexts } from '../texts.ts'
import { ownDataJson, ownDataPdf } from './data.ts'
import { myTexts } from './texts.ts'

type Request = FastifyRequest<{ Params: { token: string }; Querystring: { asked?: unknown } }>
type AskRequest = FastifyRequest<{
  Params: { uuid: string }
  Querystring: { sent?: unknown }
  Body: { email?: unknown } | undefined
}>

/** A person's own page: all their bookings and data at one Provider, by a link in their emails. GET only shows. */
export function addOwnPage(app: FastifyInstance, service: Service) {
  const forOwner = (answer: Answer) => async (request: Request, reply: FastifyReply) => {
    const opened = await openOwnPage(service, request.params.token)
    if (opened?.page) return answer(opened.page, request, reply)
    if (!opened) return sendInvalid(service, request, reply)
    return sendAsk(service, request, reply, opened.provider, 410, 'expired')
  }
  app.get(
    '/my/:token',
    forOwner((page, request, reply) => show(service, request, reply, page)),
  )
  app.get(
    '/my/:token/data.json',
    forOwner((page, _request, reply) =>
      sendFile(reply, 'json', 'application/json; charset=utf-8', ownDataJson(page)),
    ),
  )
  app.get(
    '/my/:token/data.pdf',
    forOwner((page, _request, reply) => sendFile(reply, 'pdf', 'application/pdf', ownDataPdf(page))),
  )
  app.post(
    '/my/:token/erasure',
    forOwner(async (page, { params }, reply) => {
      await requestErasure(service, page)
      return reply.redirect(`/my/${encodeURIComponent(params.token)}?asked=1`, 303)
    }),
  )
  addAskPage(app, service)
}

type Answer = (page: OwnPage, request: Request, reply: FastifyReply) => unknown

/** Asks for the link. Known and unknown addresses get the same answer in the same time. */
function addAskPage(app: FastifyInstance, service: Service) {
  app.get('/my/at/:uuid', async (request: AskRequest, reply) => {
    const provider = await providerOf(service, request)
    if (!provider) return sendInvalid(service, request, reply)
    return sendAsk(service, request, reply, provider, 200, request.query.sent ? 'sent' : null)
  })

  app.post('/my/at/:uuid', async (request: AskRequest, reply) => {
    const provider = await providerOf(service, request)
    if (!provider) return sendInvalid(service, request, reply)
    if ((await emailsOfProvider(service, provider)) === 'off')
      return sendAsk(service, request, reply, provider, 200, null)
    await limitRate(service, request, reply, 'links')
    const email = String(request.body?.email ?? '').trim()
    if (check({ ...noFields, email }).email) return sendAsk(service, request, reply, provider, 400, 'wrong')
    // Not awaited: how long it takes would tell whether the address is known.
    void sendOwnPageLink(service, provider, email).catch(error => request.log.error(error))
    return reply.redirect(`/my/at/${provider.uuid}?sent=1`, 303)
  })
}

/** By the uuid of the Provider, or of one of its Resources. */
async function providerOf(service: Service, { params }: AskRequest): Promise<ProviderRow | null> {
  const { db } = service
  if (!isUuid(params.uuid)) return null
  const resource = await findResourceByUuid(db, params.uuid)
  const provider = resource
    ? await findProviderById(db, resource.providerId)
    : await findProviderByUuid(db, params.uuid)
  if (provider) service.suspensions.refuseProvider(provider.id)
  return provider
}

async function sendAsk(
  service: Service,
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  provider: ProviderRow,
  status: number,
  notice: 'sent' | 'wrong' | 'expired' | null,
) {
  const language = pickLanguage(request.headers['accept-language'], provider.language as Language)
  const texts = myTexts[language]
  const emails = await emailsOfProvider(service, provider)
  const { texts: shared } = wordsIn(language, undefined)
  const isExpired = notice === 'expired'
  const title = isExpired ? texts.expiredTitle : texts.askTitle
  if (emails === 'off') {
    const text = texts.noEmails(provider.name)
    return sendPage(reply, status, language, title, html`<p>${text}</p>`, lookOfProvider(provider))
  }
  const demo = emails === 'demo' && noEmailTexts[language].emailsDemo
  if (notice === 'sent')
    return sendPage(
      reply,
      status,
      language,
      demo ? title : texts.sentTitle,
      html`<p>${demo || texts.sent}</p>`,
      lookOfProvider(provider),
    )
  const isWrong = notice === 'wrong'
  const wrong = isWrong && html` aria-invalid="true" aria-describedby="email-error"`
  const content = html`${isExpired && html`<p>${texts.expired}</p>`}<p>${texts.ask(provider.name)}</p>${demo && html`<p class="hint">${demo}</p>`}
<form method="post" action="/my/at/${provider.uuid}" novalidate>
<p><label for="email">${shared.email}</label><input id="email" name="email" type="email" autocomplete="email" maxlength="${limits.email}" required${wrong}>
${isWrong && html`<span class="bad" id="email-error">${shared.invalidEmail}</span>`}</p>
<p><button>${texts.send}</button></p></form>`
  return sendPage(reply, status, language, title, content, lookOfProvider(provider))
}

function show(service: Service, request: Request, reply: FastifyReply, page: OwnPage) {
  const { language, provider, bookings } = page
  const texts = myTexts[language]
  const upcoming = bookings.filter(isUpcoming).toReversed()
  const past = bookings.filter(one => !isUpcoming(one))
  const content = html`${request.query.asked !== undefined && html`<p role="status"><strong>${texts.eraseSent(provider.name)}</strong></p>`}
<h2>${texts.upcoming}</h2>
${upcoming.length > 0 ? byPerson(service, page, upcoming) : html`<p>${texts.noUpcoming}</p>`}
${waiting(service, page)}
${past.length > 0 && html`<details><summary><h2>${texts.past}</h2></summary>${byPerson(service, page, past)}</details>`}
${myData(request.params.token, page)}`
  return sendPage(reply, 200, language, texts.title, content, lookOfProvider(provider))
}

/** Several people can share an address: each has a heading, in order of the first booking. */
function byPerson(service: Service, { language, bookings: all }: OwnPage, bookings: Booking[]): Html {
  const nameOf = ({ name }: Booking) => name ?? ''
  const cards = (some: Booking[]) =>
    html`<ul class="entries">${some.map((one, index) => entry(service, one, language, index === 0))}</ul>`
  const isShared = new Set(all.map(nameOf)).size > 1
  if (!isShared) return cards(bookings)
  const names = [...new Set(bookings.map(nameOf))]
  return html`${names.map(
    name =>
      html`${name && html`<h3>${myTexts[language].forPerson(name)}</h3>`}${cards(bookings.filter(one => nameOf(one) === name))}`,
  )}`
}

/** A line that opens: of many bookings, most people look for the next. */
function entry(service: Service, booking: Booking, language: Language, isFirst: boolean): Html {
  const texts = myTexts[language]
  const note = { REQUESTED: texts.requested, CANCELED: texts.cancelled }[booking.state as 'CANCELED']
  return html`<li><details${isFirst && isUpcoming(booking) && html` open`}><summary><span>${briefSummary(booking, language)}</span>${note && html` <span class="pill">${note}</span>`}</summary>
${restOfSummary(booking, language)}${answersOf(booking, language)}${isUpcoming(booking) ? actions(service, booking, language) : again(booking, language)}</details></li>`
}

const isUpcoming = ({ state, isToCome }: Booking) => isToCome && state !== 'CANCELED'

const again = (booking: Booking, language: Language): Html =>
  html`<p class="row links"><a href="${bookAgainPath(booking)}">${textsIn(language).buttons.again}</a></p>`

/** What the person has answered; not what staff have noted. */
function answersOf({ answers, questions, providerLanguage }: Booking, language: Language): Html | false {
  if (!answers || !questions) return false
  const lines = readableAnswers(forConsumer(questions), answers, language, providerLanguage)
  if (lines.length === 0) return false
  const { colon } = textsIn(language)
  return html`<p class="soft">${lines.map((one, index) => html`${index > 0 && html`<br>`}${one.label}${colon} ${one.text}`)}</p>`
}

function actions(service: Service, booking: Booking, language: Language): Html {
  const { texts } = wordsIn(language, undefined)
  const isBooked = booking.state === 'BOOKED'
  const change =
    (booking.isChangeable || !isBooked) &&
    html`<a class="button quiet" href="${moveLink(service, booking)}">${pageTexts[language].moveTitle}</a> <a class="button quiet" href="${shortCancelLink(service, booking)}">${isBooked ? texts.cancelBooking : texts.withdraw}</a>`
  const answers =
    booking.questions &&
    forConsumer(booking.questions).length > 0 &&
    html`<a href="${answersLink(service, booking)}">${textsIn(language).buttons.answers}</a>`
  const calendar =
    isBooked &&
    html`<a href="${confirmationLink(service, booking)}/appointment.ics">${texts.addToCalendar}</a>`
  return html`<p class="row links">${change} ${answers} ${calendar}</p>`
}

function waiting(service: Service, { entries, language }: OwnPage): Html | false {
  const open = entries.filter(one => ['UNCONFIRMED', 'WAITING', 'OFFERED'].includes(one.state))
  if (open.length === 0) return false
  const texts = myTexts[language]
  const line = (entry: EntryRecord) =>
    html`<p><strong>${entry.productName}</strong>${wishLines(entry, language).map(text => html`<br>${text}`)}<br><a href="${waitingLink(service, entry)}">${texts.view}</a></p>`
  return html`<h2>${texts.waiting}</h2>${open.map(line)}<hr>`
}

function myData(token: string, { customers, language, provider }: OwnPage): Html {
  const texts = myTexts[language]
  const path = `/my/${encodeURIComponent(token)}`
  const { colon } = textsIn(language)
  const people = customers.map(
    one =>
      html`<p>${detailLines(one, language)
        .filter(([_key, text]) => text)
        .map(([label, text], index) => html`${index > 0 && html`<br>`}${label}${colon} ${text}`)}</p>`,
  )
  const isAsked = customers.length > 0 && customers.every(one => one.erasureRequestedAt !== null)
  const erase = isAsked
    ? html`<p class="soft">${texts.eraseSent(provider.name)}</p>`
    : html`<form method="post" action="${path}/erasure"><p class="soft">${texts.eraseText(provider.name)}</p><p><button class="quiet">${texts.erase}</button></p></form>`
  return html`<h2>${texts.myData}</h2>${people}
<p class="row links"><a href="${path}/data.pdf">${texts.exportPdf}</a> <a href="${path}/data.json">${texts.exportJson}</a></p>${customers.length > 0 && erase}`
}

const sendFile = (reply: FastifyReply, ending: string, type: string, content: string | Buffer) =>
  reply
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', `attachment; filename="my-data.${ending}"`)
    .type(type)
    .send(content)
