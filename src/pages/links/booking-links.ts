import type { Booking } from '../../db/booking/bookings.ts'
import type { Language } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { confirmationLink, moveLink, shortCancelLink } from '../../links.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { ownPageLink } from '../my/link.ts'
import { pageTexts } from '../texts.ts'
import { bookingSummary } from './booking-summary.ts'
import { isTooLate, untilWhen } from './too-late.ts'

export function statusOf({ state }: Booking) {
  if (state === 'REQUESTED') return 'requested'
  return state === 'BOOKED' ? 'confirmed' : 'cancelled'
}

/** Actions for a booking: add it to a calendar, reschedule it, cancel it, book another. */
export function bookingLinks(service: Service, booking: Booking, language: Language): Html {
  const { texts } = wordsIn(language, undefined)
  const status = statusOf(booking)
  if (status === 'cancelled' || !booking.isToCome) return bookAgain(booking, language)
  const again = html`<a href="/book/${booking.resourceUuid}">${texts.bookAnother}</a>`
  const calendar = html`<a class="button" href="${confirmationLink(service, booking)}/appointment.ics">${texts.addToCalendar}</a>`
  const change = html`<a href="${moveLink(service, booking)}">${pageTexts[language].moveTitle}</a> <a href="${shortCancelLink(service, booking)}">${texts.cancelBooking}</a> `
  return html`<p class="row links">${status === 'confirmed' && calendar}
${!isTooLate(booking) && change}${again} ${ownPageLink(booking.providerUuid, language)}</p>${untilWhen(booking, language)}`
}

/** The page for a booking that can no longer be changed: a cancelled one needs no other reason. */
export function closedPage(booking: Booking, language: Language, title: string) {
  const { alreadyCancelledTitle, alreadyStarted } = pageTexts[language]
  const isCancelled = statusOf(booking) === 'cancelled'
  const reason = !isCancelled && html`<p>${alreadyStarted}</p>`
  return {
    title: isCancelled ? alreadyCancelledTitle : title,
    content: html`${reason}${bookingSummary(booking, language)}${bookAgain(booking, language)}`,
  }
}

/** A link to book again, for a booking that is over or never happened. */
export const bookAgain = ({ resourceUuid, providerUuid }: Booking, language: Language): Html =>
  html`<p class="row links"><a class="button" href="/book/${resourceUuid}">${wordsIn(language, undefined).texts.bookAnother}</a> ${ownPageLink(providerUuid, language)}</p>`
