import type { Booking } from '../db/booking/bookings.ts'
import type { Language } from '../languages.ts'
import {
  answersLink,
  bookAgainPath,
  confirmationLink,
  decisionLink,
  moveLink,
  myLink,
  shortCancelLink,
} from '../links.ts'
import type { BookingData, EmailAnswer } from '../rules/messages/messages.ts'
import { formatAddress } from '../rules/people/addresses.ts'
import { noticeRecipient, shownContact } from '../rules/people/contacts.ts'
import { readableAnswers } from '../rules/questions/readable.ts'
import { logoAddress } from '../rules/theme.ts'
import { toUtcText } from '../rules/time/time.ts'
import type { Service } from '../service.ts'
import { senderOf } from './email/envelope.ts'

/**
 * The data of an email about this Participation. A snapshot: the email keeps the state at the time it was
 * queued.
 */
export function bookingData(service: Service, booking: Booking, message: string | null, now: number) {
  const decision = (verb: 'accept' | 'decline') =>
    booking.state === 'REQUESTED' ? decisionLink(service, verb, booking) : null
  return {
    consumer: { name: booking.name ?? '', email: booking.email, mobile: booking.mobile },
    provider: {
      name: booking.providerName,
      email: booking.providerEmail,
      impressum: booking.impressum,
      accentColor: booking.accentColor,
      logoUrl: logoAddress(service.baseUrl, booking.logoUrl),
    },
    resourceName: booking.resourceName,
    productName: booking.productName,
    priceText: booking.priceText,
    description: booking.appointmentDescription ?? booking.productDescription,
    start: toUtcText(booking.startAt),
    end: toUtcText(booking.endAt),
    timeZone: booking.timeZone,
    ...timeOf(booking),
    place: formatAddress(booking.appointmentAddress as Parameters<typeof formatAddress>[0]),
    contact: contactOf(booking),
    message,
    note: booking.note,
    places: booking.places > 1 ? booking.places : null,
    placeNames: booking.placeNames,
    answers: emailAnswers(booking),
    answersLink: booking.answersMissing ? answersLink(service, booking) : null,
    cancelLink: isTooLate(booking) ? null : shortCancelLink(service, booking),
    moveLink: isTooLate(booking) ? null : moveLink(service, booking),
    calendarLink: booking.state === 'BOOKED' ? `${confirmationLink(service, booking)}/appointment.ics` : null,
    againLink: isOver(booking) && booking.isOffered ? `${service.baseUrl}${bookAgainPath(booking)}` : null,
    myLink: booking.email
      ? myLink(service, booking, { kind: 'booking', uuid: booking.participationUuid, email: booking.email })
      : null,
    changeUntil: isTooLate(booking) ? null : changeUntil(booking),
    acceptLink: decision('accept'),
    declineLink: decision('decline'),
    uid: `${booking.calendarUuid}@${new URL(service.baseUrl).hostname}`,
    sequence: Math.max(0, booking.icsSequence - 1),
    organizerEmail: noticeContact(booking)?.email ?? senderOf(service.config.mailFrom).address,
    stamp: toUtcText(now),
  } satisfies BookingData
}

/** In the Provider's language and the consumer's: who reads the email decides. */
function emailAnswers({ answers, questions, language, providerLanguage }: Booking): EmailAnswer[] | null {
  if (!answers || !questions) return null
  const read = (spoken: Language) => readableAnswers(questions, answers, spoken, providerLanguage)
  const forConsumer = read(language).map(({ label, text, inEmails }) => ({ label, text, inEmails }))
  if (language === providerLanguage) return forConsumer
  const forProvider = read(providerLanguage).map(({ label, text }) => ({ label, text }))
  return forConsumer.map((one, index) => ({ ...one, provider: forProvider[index]! }))
}

/** Leaves out links that would only show a refusal. Requests can be withdrawn until the start. */
const isTooLate = ({ state, isToCome, isChangeable }: Booking) =>
  state === 'BOOKED' && isToCome && !isChangeable

const isOver = ({ state }: Booking) => state !== 'BOOKED' && state !== 'REQUESTED'

export const changeUntil = ({ changeNoticeMinutes, startAt }: Booking) =>
  changeNoticeMinutes > 0 ? toUtcText(startAt - changeNoticeMinutes * 60_000) : null

/**
 * How the consumer sees the time. A structured address is a place to visit; a text may be a link to a call.
 */
export const timeOf = ({ consumerZone, locale, appointmentAddress }: Booking) => ({
  consumerZone,
  locale,
  isVisit: typeof appointmentAddress === 'object' && appointmentAddress !== null,
})

/** The contact shown to consumers. */
export const contactOf = (booking: Booking) => shownContact(booking.contact, providerOf(booking))

/** The recipient of notices to the provider. */
export const noticeContact = (booking: Booking) =>
  noticeRecipient(booking.contact, providerOf(booking), booking.owner)

function providerOf(booking: Booking) {
  return {
    name: booking.providerName,
    email: booking.providerEmail,
    phone: booking.providerPhone,
    mobile: booking.providerMobile,
    language: booking.providerLanguage,
  }
}
