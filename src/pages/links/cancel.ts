import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bookingOfToken, bookingToChange, cancelByConsumer } from '../../actions/booking/consumer-cancel.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import { Refusal } from '../../errors.ts'
import { actingStaff } from '../../http/wire/callers/acting-staff.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { typedText } from '../../lib/clean-text.ts'
import { type Html, html } from '../../lib/html.ts'
import { confirmationLink, moveLink } from '../../links.ts'
import { textsIn } from '../../messages/texts/index.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { bothSummaries, briefNote, lookOf } from './booking-summary.ts'
import { sendClosed } from './invalid.ts'
import { moveTexts } from './move-texts.ts'
import { isTooLate, sendTooLate, untilWhen } from './too-late.ts'

type Request = FastifyRequest<{
  Params: { token: string }
  Body: { why?: unknown; reason?: string; stay?: string | string[] } | undefined
}>

/**
 * Target of the cancel link. GET and HEAD change nothing, since mail scanners open every link; POST cancels.
 */
export function addCancelPage(app: FastifyInstance, service: Service) {
  app.get('/cancel/:token', async (request: Request, reply) => {
    const booking = await bookingToChange(service, request.params.token)
    if (!booking) return sendOver(request, reply)
    if (isTooLate(booking)) return sendTooLate(reply, booking)
    const language = pickLanguage(booking.language, booking.providerLanguage)
    const question = questionOf(booking, language)
    const summary = booking.kept
      ? bothSummaries(booking, booking.kept, language)
      : briefNote(booking, language)
    const content = html`<p>${question.question}</p>${summary}${untilWhen(booking, language)}
      <form method="post" action="/cancel/${encodeURIComponent(request.params.token)}">
        ${staying(booking, language)}
        ${reasonField(booking, language)}<textarea id="reason" name="reason" rows="2" maxlength="1024"></textarea></p>
        <div class="row"><button class="bad">${question.button}</button> ${!booking.kept && html`<a class="button quiet" href="${moveLink(service, booking)}">${pageTexts[language].moveInstead}</a> `}<a href="${confirmationLink(service, booking)}">${question.keep}</a></div>
      </form>`
    return sendPage(reply, 200, language, question.title, content, lookOf(booking))
  })

  app.post('/cancel/:token', async (request: Request, reply) => {
    try {
      const { token } = request.params
      const known = await bookingOfToken(service, token)
      const reason = known && reasonOf(known, request.body)
      const staff = known && (await actingStaff(service, request, known))
      const kept = known && keptOf(known, request.body?.stay)
      const booking = await cancelByConsumer(service, token, reason, staff ?? undefined, kept)
      const isLess = kept && kept.places < booking.places
      const outcome = isLess ? 'changed' : booking.state === 'REQUESTED' ? 'withdrawn' : 'cancelled'
      // Redirects, so that a reload or the back button does not cancel again.
      return reply.redirect(`${new URL(confirmationLink(service, booking)).pathname}?${outcome}=1`, 303)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid-token') return sendOver(request, reply)
      if (error instanceof Refusal && error.code === 'change-notice')
        return sendTooLate(reply, (await bookingOfToken(service, request.params.token))!)
      throw error
    }
  })

  const sendOver = async (request: Request, reply: FastifyReply) =>
    sendClosed(
      service,
      request,
      reply,
      await bookingOfToken(service, request.params.token),
      'cannotCancelTitle',
    )
}

const reasons = ['hindered', 'time', 'need', 'mistake'] as const

/** Nothing about health: a business must not ask for it in passing. */
const reasonTexts: Record<Language, Record<(typeof reasons)[number], string>> = {
  en: {
    hindered: 'I can’t make it',
    time: 'The time no longer works',
    need: 'I no longer need it',
    mistake: 'Booked by mistake',
  },
  de: {
    hindered: 'Ich kann nicht kommen',
    time: 'Die Zeit passt nicht mehr',
    need: 'Nicht mehr nötig',
    mistake: 'Versehentlich gebucht',
  },
  fr: {
    hindered: 'J’ai un empêchement',
    time: 'L’horaire ne convient plus',
    need: 'Je n’en ai plus besoin',
    mistake: 'Réservé par erreur',
  },
  es: {
    hindered: 'No puedo asistir',
    time: 'La hora ya no me viene bien',
    need: 'Ya no la necesito',
    mistake: 'Reserva por error',
  },
  it: {
    hindered: 'Non posso venire',
    time: 'L’orario non va più bene',
    need: 'Non mi serve più',
    mistake: 'Prenotato per errore',
  },
}

/** Reasons to choose from, for an appointment; then the label of a text. */
function reasonField({ state, kept }: Booking, language: Language): Html {
  const { reasonLabel } = pageTexts[language]
  if (kept || state !== 'BOOKED') return html`<p><label for="reason">${reasonLabel}</label>`
  const { texts } = wordsIn(language, undefined)
  const choices = reasons.map(
    one => html`<label><input type="radio" name="why" value="${one}"> ${reasonTexts[language][one]}</label>`,
  )
  return html`<fieldset class="chips"><legend>${reasonLabel}</legend>${choices}</fieldset>
<p><label for="reason">${texts.message} (${texts.optional})</label>`
}

/** For the provider, in their language. */
function reasonOf({ providerLanguage }: Booking, body: Request['body']): string | null {
  const typed = typedText(body?.reason)
  const why = reasons.find(one => one === body?.why)
  if (!why) return typed
  const chosen = reasonTexts[providerLanguage][why]
  return typedText(`${chosen}${typed ? `${textsIn(providerLanguage).colon} ${typed}` : ''}`)
}

/** Several places: which of them stay. With names, a box for each; else a number. */
function staying({ places, placeNames, kept }: Booking, language: Language): Html | null {
  if (places < 2 || kept) return null
  const { stay, howMany, others, none } = stayTexts[language]
  if (placeNames?.length === places)
    return html`<fieldset aria-describedby="others"><legend>${stay}</legend>${placeNames.map(
      (name, index) => html`<label><input type="checkbox" name="stay" value="name ${index}"> ${name}</label>`,
    )}<span class="soft" id="others">${others}</span></fieldset>`
  const numbers = Array.from({ length: places }, (_, index) => index)
  const options = numbers.map(number => html`<option value="${number}">${number || none}</option>`)
  return html`<p><label for="stay">${howMany}</label><select id="stay" name="stay">${options}</select></p>`
}

function keptOf({ places, placeNames, kept }: Booking, sent: string | string[] | undefined) {
  if (kept || sent === undefined) return null
  const chosen = [sent].flat()
  const names = chosen.flatMap(one => placeNames?.[Number(/^name (\d+)$/.exec(one)?.[1] ?? Number.NaN)] ?? [])
  const count = names.length > 0 ? names.length : Number(chosen[0])
  if (!(Number.isInteger(count) && count > 0 && count < places)) return null
  return names.length > 0 ? { places: count, placeNames: names } : { places: count }
}

type StayTexts = { stay: string; howMany: string; others: string; none: string }

const stayTexts: Record<Language, StayTexts> = {
  en: {
    stay: 'Which places would you like to keep?',
    howMany: 'How many places would you like to keep?',
    others: 'The other places will be cancelled.',
    none: 'None',
  },
  de: {
    stay: 'Welche Plätze möchten Sie behalten?',
    howMany: 'Wie viele Plätze möchten Sie behalten?',
    others: 'Die übrigen Plätze werden abgesagt.',
    none: 'Keinen',
  },
  fr: {
    stay: 'Quelles places souhaitez-vous garder\u00a0?',
    howMany: 'Combien de places souhaitez-vous garder\u00a0?',
    others: 'Les autres places seront annulées.',
    none: 'Aucune',
  },
  es: {
    stay: '¿Qué plazas desea conservar?',
    howMany: '¿Cuántas plazas desea conservar?',
    others: 'Las demás plazas se cancelarán.',
    none: 'Ninguna',
  },
  it: {
    stay: 'Quali posti desidera mantenere?',
    howMany: 'Quanti posti desidera mantenere?',
    others: 'Gli altri posti verranno annullati.',
    none: 'Nessuno',
  },
}

/** What would be cancelled: an appointment, a request for one, or only the request to move it. */
function questionOf({ state, kept }: Booking, language: Language) {
  const { cancelTitle, cancelQuestion, cancelButton } = pageTexts[language]
  const { texts } = wordsIn(language, undefined)
  const { withdrawTitle, withdrawQuestion } = moveTexts[language]
  const withdrawal = { button: texts.withdraw, keep: texts.withdrawNo }
  if (kept) return { title: withdrawTitle, question: withdrawQuestion, ...withdrawal }
  if (state === 'REQUESTED') return { title: texts.withdraw, question: texts.withdrawQuestion, ...withdrawal }
  return { title: cancelTitle, question: cancelQuestion, button: cancelButton, keep: texts.cancelNo }
}
