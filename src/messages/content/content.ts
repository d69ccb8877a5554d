// The content of an email before it is rendered as text and HTML.

import type { Language } from '../../languages.ts'
import { nameToGreet, oneLine, shorten, webLink } from '../../lib/clean-text.ts'
import type {
  BookingData,
  BookingKind,
  CalendarData,
  LoginData,
  LoginKind,
  VerificationData,
  WebhookData,
} from '../../rules/messages/messages.ts'
import { messages } from '../../rules/messages/messages.ts'
import type { BookingTexts } from '../texts/facts.ts'
import { textsIn } from '../texts/index.ts'
import { requestTexts } from '../texts/requests.ts'
import type { Texts } from '../texts/shape.ts'
import {
  brandOf,
  consumerNotes,
  consumerRows,
  factsOf,
  type Link,
  legalNotice,
  linksOf,
  providerNotes,
  providerRows,
  textRow,
} from './details.ts'
import { type Button, type Content, plain } from './parts.ts'
import { bothTimes } from './times-in-both-zones.ts'

const product = 'Holdfast'

export function verificationContent(language: Language, data: VerificationData): Content {
  const texts = textsIn(language)
  return oneButton(language, data, {
    ...texts.verification,
    closing: texts.ignore,
    why: texts.reasonForEmail.user,
  })
}

export function loginContent(kind: LoginKind, language: Language, { name, link, place }: LoginData): Content {
  const texts = textsIn(language)
  return oneButton(
    language,
    { name, link },
    { ...loginTexts(kind, texts, place), why: texts.reasonForEmail.user },
  )
}

function loginTexts(kind: LoginKind, texts: Texts, place: LoginData['place']) {
  if (kind === 'login') return { ...texts.login, closing: texts.ignore }
  if (kind === 'factor-reset') return { ...texts.factorReset, closing: texts.factorReset.ignore }
  const lead = texts.invitation.lead(place ? shorten(oneLine(place), 100) : null)
  return { ...texts.invitation, lead, closing: texts.invitation.validity }
}

type ButtonTexts = { subject: string; lead: string; button: string; closing: string; why: string }

/** One sentence and one button. */
function oneButton(language: Language, { name, link }: VerificationData, said: ButtonTexts): Content {
  return {
    ...plain,
    language,
    brand: { name: product, logo: null, accent: null },
    subject: said.subject,
    preview: said.closing,
    heading: said.subject,
    greeting: textsIn(language).greeting(nameToGreet(name)),
    lead: said.lead,
    buttons: buttonsOf([{ label: said.button, href: link, primary: true }]),
    closing: [said.closing],
    footer: [said.why],
  }
}

export function webhookContent(language: Language, data: WebhookData): Content {
  const texts = textsIn(language)
  const { subject, howToResume, address, ...leads } = texts.webhookDisabled
  const heading = subject(shorten(oneLine(data.crm), 60))
  return {
    ...plain,
    language,
    brand: { name: product, logo: null, accent: null },
    subject: heading,
    preview: howToResume,
    heading,
    greeting: texts.greeting(nameToGreet(data.name)),
    lead: leads[data.reason],
    // Not a link, because it is not meant for a browser.
    rows: [{ label: address, lines: [{ label: null, text: shorten(oneLine(data.url), 80), href: null }] }],
    closing: [howToResume],
    footer: [texts.reasonForEmail.user],
  }
}

export function calendarContent(language: Language, data: CalendarData): Content {
  const texts = textsIn(language)
  const { subject, lead, closed, open, whatToDo, calendar } = texts.calendarStale
  const provider = shorten(oneLine(data.provider), 100)
  const heading = subject(shorten(oneLine(data.resource), 60))
  const line = { label: null, text: shorten(oneLine(data.calendar), 200), href: null }
  return {
    ...plain,
    language,
    brand: { name: provider, logo: null, accent: null },
    subject: heading,
    preview: whatToDo,
    heading,
    greeting: texts.greeting(nameToGreet(data.name)),
    lead: `${lead(data.hours)} ${data.isClosed ? closed : open}`,
    rows: [{ label: calendar, lines: [line] }],
    closing: [whatToDo],
    footer: [texts.reasonForEmail.provider(provider)],
  }
}

export function bookingContent(kind: BookingKind, language: Language, data: BookingData): Content {
  const texts = textsIn(language)
  const mail = saidOf(kind, data, language)
  const toConsumer = messages[kind].to === 'consumer'
  const when = bothTimes(data, language, toConsumer ? 'consumer' : 'provider')
  const facts = factsOf(data, texts, when.brief)
  const off = messages[kind].over
  const brief = { ...facts, what: shorten(facts.what, 60), consumer: shorten(facts.consumer, 60) }
  const reader = toConsumer ? 'consumer' : 'provider'
  const previous = data.previous ? bothTimes({ ...data, ...data.previous }, language, reader).sentence : ''
  const isAsked = kind === 'requested' || kind === 'request-notice'
  const timeOfOther = off ? 'kept' : isAsked && !data.onlyAsked ? 'current' : 'previous'
  const before = textRow(texts.labels[timeOfOther], previous)
  const until = data.changeUntil && messages[kind].hint === 'change' ? untilText(data, language) : null
  const links = linksOf(kind, data, texts, until)
  const buttons = buttonsOf(links.buttons)
  return {
    language,
    brand: brandOf(data.provider, facts.provider),
    subject: mail.subject(brief),
    preview: `${when.sentence} · ${when.zone}`,
    heading: mail.heading,
    greeting: texts.greeting(toConsumer ? nameToGreet(data.consumer.name) : null),
    lead: [mail.lead(facts), toConsumer && keptOf(kind, data, texts)].filter(Boolean).join(' '),
    when,
    off,
    rows: toConsumer
      ? consumerRows(priced(kind, data), texts, off, before)
      : providerRows(data, texts, off, before),
    notes: toConsumer ? consumerNotes(data, texts, off) : providerNotes(kind, data, texts),
    hint: buttons.length > 0 ? links.hint : null,
    buttons,
    closing: toConsumer ? [texts.closing, facts.provider] : [],
    footer: [
      toConsumer ? texts.reasonForEmail.consumer : texts.reasonForEmail.provider(facts.provider),
      legalNotice(data.provider, facts.provider),
    ],
  }
}

/** Only while booking: later the Product may cost something else, which this person did not agree to. */
const priced = (kind: BookingKind, data: BookingData): BookingData =>
  kind === 'booked' || kind === 'requested' ? data : { ...data, priceText: null }

/** A request to move, or a withdrawn one, is neither a new appointment nor a cancelled one. */
function saidOf(kind: BookingKind, data: BookingData, language: Language): BookingTexts {
  const { mails, withdrawn } = textsIn(language)
  const of = requestTexts[language]
  const isMove = Boolean(data.previous) && !data.onlyAsked
  if (kind === 'requested' && data.onlyAsked) return of.changed
  if (kind === 'request-notice' && data.onlyAsked) return of.changedNotice
  if (kind === 'requested' || kind === 'request-notice') return isMove ? of[kind] : mails[kind]
  if (kind === 'declined' && data.withdrawn) return isMove ? of.withdrawn : withdrawn
  if (kind === 'cancel-notice' && data.withdrawn) return isMove ? of.withdrawnNotice : of.plainWithdrawnNotice
  return kind === 'declined' && isMove ? of.declined : mails[kind]
}

/** A consumer who asks to move must know that the existing booking stays. */
function keptOf(
  kind: BookingKind,
  { previous, onlyAsked }: BookingData,
  { currentBooking }: Texts,
): string | null {
  if (!previous || onlyAsked) return null
  if (kind === 'requested') return currentBooking.until
  return messages[kind].over ? currentBooking.still : null
}

/** Until when the booking can be changed online. */
function untilText(data: BookingData, language: Language): string {
  const until = { ...data, start: data.changeUntil!, end: data.changeUntil! }
  return textsIn(language).hints.until(bothTimes(until, language, 'consumer').brief)
}

/** Leaves out addresses that a browser cannot open. */
function buttonsOf(links: Link[]): Button[] {
  return links.flatMap(link => {
    const href = webLink(link.href)
    return href ? [{ ...link, href }] : []
  })
}
