import type { FastifyReply } from 'fastify'
import { wholeMoment } from '../../../web/shared/whole-date.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { mailLink, phoneLink } from '../../lib/clean-text.ts'
import { type Html, html } from '../../lib/html.ts'
import { changeUntil, contactOf, timeOf } from '../../messages/booking-data.ts'
import { bothTimes } from '../../messages/content/times-in-both-zones.ts'
import { sendPage } from '../layout.ts'
import { pageTexts } from '../texts.ts'
import { bookingSummary, lookOf } from './booking-summary.ts'

/** After the deadline for online changes, customers have to call: shows the contact and the number. */
export function sendTooLate(reply: FastifyReply, booking: Booking) {
  const language = pickLanguage(booking.language, booking.providerLanguage)
  const { tooLate, tooLateTitle } = pageTexts[language]
  const { name, channels } = contactOf(booking)
  const isNumber = ({ type }: { type: string }) => type === 'phone' || type === 'mobile'
  // Falls back to the Provider's number if the contact has none.
  const desk = channels.some(isNumber) ? null : (booking.providerPhone ?? booking.providerMobile)
  const all = [...channels, ...(desk ? [{ type: 'phone', value: desk }] : [])]
  const lines = all.map(one => {
    const { type, value } = one
    const href = isNumber(one) ? phoneLink(value) : type === 'email' ? mailLink(value) : null
    return html`<br>${href ? html`<a href="${href}">${value}</a>` : value}`
  })
  const content = html`<p>${tooLate}</p><p><strong>${name}</strong>${lines}</p>${bookingSummary(booking, language)}`
  return sendPage(reply, 403, language, tooLateTitle, content, lookOf(booking))
}

/** The deadline for changes, shown while there is still time. */
export function untilWhen(booking: Booking, language: Language): Html | false {
  const until = changeUntil(booking)
  if (until === null || booking.state !== 'BOOKED') return false
  const moment = { start: until, end: until, timeZone: booking.timeZone, ...timeOf(booking) }
  return html`<p class="soft">${pageTexts[language].changeableUntil(wholeMoment(bothTimes(moment, language, 'consumer').brief))}</p>`
}

export const isTooLate = ({ isChangeable, state }: Booking) => !isChangeable && state === 'BOOKED'
