import type { Calendar } from '../../../web/shared/confirmation.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import type { Language } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { bookAgainPath, confirmationLink, moveLink, shortCancelLink } from '../../links.ts'
import type { Service } from '../../service.ts'
import { wordsIn } from '../book/texts.ts'
import { myTexts } from '../my/texts.ts'
import { pageTexts } from '../texts.ts'
import { isTooLate, untilWhen } from './too-late.ts'

export function statusOf({ state }: Booking) {
  if (state === 'REQUESTED') return 'requested'
  return state === 'BOOKED' ? 'confirmed' : 'cancelled'
}

/** Actions for a booking: reschedule it, cancel it, book another. */
export function bookingLinks(service: Service, booking: Booking, language: Language): Html {
  const { texts } = wordsIn(language, undefined)
  const status = statusOf(booking)
  if (status === 'cancelled' || !booking.isToCome) return bookAgain(booking, language)
  const again = html`<a href="/book/${booking.resourceUuid}">${texts.bookAnother}</a>`
  const cancelText = status === 'requested' ? texts.withdraw : texts.cancelBooking
  const change = html`<a class="button quiet" href="${moveLink(service, booking)}">${pageTexts[language].moveTitle}</a> <a class="button quiet" href="${shortCancelLink(service, booking)}">${cancelText}</a> `
  return html`<p class="row links">${!isTooLate(booking) && change}${again} ${ownPageLink(booking.providerUuid, language)}</p>${untilWhen(booking, language)}`
}

/** For a booking that takes place. */
export function calendarOf(service: Service, booking: Booking, language: Language): Calendar | null {
  if (statusOf(booking) !== 'confirmed' || !booking.isToCome) return null
  const { texts } = wordsIn(language, undefined)
  return { title: texts.addToCalendar, level: 'h2', page: confirmationLink(service, booking) }
}

/** A link to book again, for a booking that is over or never happened. */
export const bookAgain = (booking: Booking, language: Language): Html =>
  html`<p class="row links"><a class="button" href="${bookAgainPath(booking)}">${wordsIn(language, undefined).texts.bookAnother}</a> ${ownPageLink(booking.providerUuid, language)}</p>`

/**
 * Leads to the page that asks for the address: who sees a booking page or a confirmation need not be the one who
 * reads the mailbox. `uuid` is that of the Provider or one of its Resources.
 */
export const ownPageLink = (uuid: string, language: Language): Html =>
  html`<a href="/my/at/${uuid}">${myTexts[language].title}</a>`
