import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { calendarLinks } from '../../../web/shared/confirmation.ts'
import { answerLater, bookingToAnswer, consumerForm } from '../../actions/booking/save-answers.ts'
import { type Booking, findBookingsByUuid } from '../../db/booking/bookings.ts'
import { Refusal } from '../../errors.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { element, html } from '../../lib/html.ts'
import { confirmationLink } from '../../links.ts'
import { fromStored, inLanguage } from '../../rules/questions/define.ts'
import { checkAnswers } from '../../rules/questions/questions.ts'
import type { Service } from '../../service.ts'
import { answersTexts } from '../answers-texts.ts'
import { wordsIn } from '../book/texts.ts'
import { sendPage } from '../layout.ts'
import {
  errorSummary,
  errorTexts,
  type GivenAnswers,
  questionFields,
  readAnswers,
  summaryOf,
} from '../questions.ts'
import { bookingLinks, calendarOf } from './booking-links.ts'
import { bookingSummary, briefNote, lookOf } from './booking-summary.ts'
import { sendClosed } from './invalid.ts'

type Request = FastifyRequest<{ Params: { token: string }; Querystring: { saved?: unknown } }>

/**
 * The questions of the booking form, for bookings that were made without answers. GET shows them, POST saves,
 * until the Appointment starts.
 */
export function addAnswersPage(app: FastifyInstance, service: Service) {
  app.get('/answers/:token', async (request: Request, reply) => {
    const booking = await bookingToAnswer(service, request.params.token)
    if (!booking) return sendOver(service, request, reply)
    service.suspensions.refuseProvider(booking.providerId)
    const { language, form } = viewOf(booking)
    const texts = answersTexts[language]
    if (form.length === 0 || request.query.saved) {
      const [title, text] =
        form.length === 0 ? [texts.nothingTitle, texts.nothing] : [texts.savedTitle, texts.saved]
      const calendar = calendarOf(service, booking, language)
      const content = html`<p>${text}</p>${bookingSummary(booking, language)}${calendar && calendarLinks(element, calendar)}${bookingLinks(service, booking, language)}`
      return sendPage(reply, 200, language, title, content, lookOf(booking))
    }
    return sendForm(service, reply, request.params.token, booking, fromStored(booking.answers), new Map())
  })

  app.post('/answers/:token', async (request: Request, reply) => {
    const { token } = request.params
    const booking = await bookingToAnswer(service, token)
    if (!booking) return sendOver(service, request, reply)
    service.suspensions.refuseProvider(booking.providerId)
    const { language, form } = viewOf(booking)
    const given = readAnswers(form, request.body)
    const { problems } = checkAnswers(form, given)
    if (problems.length > 0)
      return sendForm(service, reply, token, booking, given, errorTexts(form, problems, language))
    try {
      await answerLater(service, token, given, language)
    } catch (error) {
      // The appointment has started or the questions have changed since they were read.
      if (!(error instanceof Refusal) || error.code === 'suspended') throw error
      if (error.code === 'invalid-token') return sendOver(service, request, reply)
      return reply.redirect(`/answers/${encodeURIComponent(token)}`, 303)
    }
    return reply.redirect(`/answers/${encodeURIComponent(token)}?saved=1`, 303)
  })
}

function viewOf(booking: Booking) {
  const language: Language = pickLanguage(booking.language, booking.providerLanguage)
  const form = consumerForm(booking).map(one => inLanguage(one, language, booking.providerLanguage))
  return { language, form }
}

function sendForm(
  service: Service,
  reply: FastifyReply,
  token: string,
  booking: Booking,
  given: GivenAnswers,
  errors: Map<string, string>,
) {
  const { language, form } = viewOf(booking)
  const texts = answersTexts[language]
  const { texts: words } = wordsIn(language, undefined)
  const summary = errors.size > 0 && errorSummary(texts.check, summaryOf(form, errors))
  const content = html`${briefNote(booking, language)}<p>${texts.lead(booking.providerName)}</p>${summary}
<form method="post" action="/answers/${encodeURIComponent(token)}" novalidate>
${questionFields({ form, given, errors, language }, words.optional)}
<div class="row"><button>${texts.button}</button> <a href="${confirmationLink(service, booking)}">${words.back}</a></div></form>`
  const options = { ...lookOf(booking), isKept: errors.size > 0 }
  return sendPage(reply, errors.size > 0 ? 400 : 200, language, texts.title, content, options)
}

async function sendOver(service: Service, request: Request, reply: FastifyReply) {
  const uuid = service.signer.open('answers', request.params.token)
  const [booking] = uuid ? await findBookingsByUuid(service.db, uuid) : []
  return sendClosed(service, request, reply, booking, 'tooLateTitle')
}
