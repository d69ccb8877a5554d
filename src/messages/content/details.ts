// The parts of a booking that emails and calendar entries show.

import { isMeeting, phoneCall, splitCall } from '../../../web/shared/call-link.ts'
import { mapLink } from '../../../web/shared/map-link.ts'
import { mailLink, manyLines, oneLine, phoneLink, shorten, webLink } from '../../lib/clean-text.ts'
import {
  type BookingData,
  type BookingKind,
  type Message,
  type MessageButton,
  messages,
} from '../../rules/messages/messages.ts'
import type { ContactChannel, Profile } from '../../rules/people/contacts.ts'
import type { Facts } from '../texts/facts.ts'
import type { Texts } from '../texts/shape.ts'
import type { Button, Line, Note, Row } from './parts.ts'

export function factsOf(data: BookingData, texts: Texts, when: string): Facts {
  return {
    what: oneLine(data.productName) || oneLine(data.resourceName),
    when,
    consumer: shortName(data, texts),
    provider: providerName(data),
  }
}

export function providerName({ provider, resourceName }: BookingData): string {
  return oneLine(provider.name) || oneLine(resourceName) || 'Holdfast'
}

type Sender = Pick<BookingData['provider'], 'email' | 'impressum' | 'accentColor' | 'logoUrl'>

export const brandOf = ({ logoUrl, accentColor }: Sender, name: string) => ({
  name,
  logo: webLink(logoUrl),
  accent: accentColor ?? null,
})

export const legalNotice = ({ impressum, email }: Sender, name: string) =>
  manyLines(impressum) || [name, oneLine(email)].filter(Boolean).join('\n')

function consumerName({ consumer }: BookingData): string {
  return oneLine(consumer.name) || oneLine(consumer.email) || oneLine(consumer.mobile)
}

function shortName(data: BookingData, texts: Texts): string {
  return shorten(consumerName(data) || texts.unnamedCustomer, 120)
}

/** 'Product – Resource', or whichever is set. */
export function titleOf(data: BookingData): string {
  const names = [oneLine(data.productName), oneLine(data.resourceName)].filter(Boolean)
  return [...new Set(names)].join(' – ')
}

/** `before`: the other time of a booking that moves. */
export function consumerRows(data: BookingData, texts: Texts, off: boolean, before: Row): Row[] {
  const { labels } = texts
  return [
    before,
    row(labels.appointment, plain(titleOf(data))),
    row(labels.places, placeLines(data, texts)),
    row(labels.place, off ? [] : placeLine(data, texts)),
    row(labels.price, off ? [] : plain(oneLine(data.priceText))),
    ...(off ? [] : answerRows((data.answers ?? []).filter(one => one.inEmails))),
    row(labels.contact, data.contact ? contactLines(data.contact, texts) : []),
  ].filter(hasLines)
}

export function providerRows(data: BookingData, texts: Texts, off: boolean, before: Row): Row[] {
  const { labels } = texts
  const { name, email, mobile } = data.consumer
  return [
    before,
    row(labels.name, plain(oneLine(name))),
    row(labels.email, email ? [channelLine({ type: 'email', label: null, value: email }, null)] : []),
    row(labels.mobile, mobile ? [channelLine({ type: 'mobile', label: null, value: mobile }, null)] : []),
    row(labels.appointment, plain(titleOf(data))),
    row(labels.places, placeLines(data, texts)),
    row(labels.place, data.isVisit ? plain(oneLine(data.place)) : placeLine(data, texts)),
    ...(off ? [] : answerRows((data.answers ?? []).map(one => one.provider ?? one))),
  ].filter(hasLines)
}

/** The number, if it is not one, and the names, one on each line. */
function placeLines({ places, placesBefore, placeNames }: BookingData, { labels, colon }: Texts): Line[] {
  const before = placesBefore ? ` (${labels.previous.toLowerCase()}${colon} ${placesBefore})` : ''
  const names = (placeNames ?? []).flatMap(name => plain(shorten(oneLine(name), 120)))
  return [...plain(places ? `${places}${before}` : ''), ...names]
}

/** An address to visit leads to a map, and a call can be joined. */
function placeLine({ place, isVisit }: BookingData, texts: Texts): Line[] {
  const text = oneLine(place)
  if (isVisit) return plain(text).map(line => ({ ...line, href: mapLink(text) }))
  const [before, call, after = ''] = splitCall(text)
  if (!call) return plain(text)
  const link = isMeeting(call)
    ? { label: null, text: texts.labels.joinOnline, href: webLink(call), isPage: true }
    : { label: null, text: call, href: phoneCall(call) }
  return [...plain(before.replace(/[\s:,–-]+$/, '')), link, ...plain(after.trim())]
}

/** Answers are text from outside: never a link, and each line on its own. */
const answerRows = (answers: { label: string; text: string }[]): Row[] =>
  answers.map(({ label, text }) =>
    row(shorten(oneLine(label), 200), manyLines(text).split('\n').flatMap(plain)),
  )

export function contactLines({ name, channels }: Profile, texts: Texts): Line[] {
  const usable = channels.filter(channel => oneLine(channel.value) !== '')
  const lines = usable.map(channel =>
    channelLine(channel, oneLine(channel.label) || texts.channels[channel.type]),
  )
  return [...plain(oneLine(name)), ...lines]
}

function channelLine({ type, value }: ContactChannel, label: string | null): Line {
  const text = oneLine(value)
  return { label, text, href: hrefOf(type, text) }
}

function hrefOf(type: ContactChannel['type'], value: string): string | null {
  if (type === 'email') return mailLink(value)
  if (type === 'phone' || type === 'mobile') return phoneLink(value)
  return webLink(value)
}

export const textRow = (label: string, text: string): Row => row(label, plain(text))
const row = (label: string, lines: Line[]): Row => ({ label, lines })
const plain = (text: string): Line[] => (text ? [{ label: null, text, href: null }] : [])
const hasLines = ({ lines }: Row) => lines.length > 0

export function consumerNotes(data: BookingData, texts: Texts, off: boolean): Note[] {
  return [
    { label: texts.labels.messageFrom(providerName(data)), text: manyLines(data.message) },
    { label: texts.labels.hints, text: off ? '' : manyLines(data.description) },
    { label: texts.labels.details, text: data.detailsLink ? texts.hints.details : '' },
    { label: texts.labels.answers, text: data.answersLink && !off ? texts.hints.answers : '' },
  ].filter(hasText)
}

const noticesWithReason: BookingKind[] = ['cancel-notice', 'change-notice']

/** `message` comes from the consumer only in these; otherwise the provider wrote it. */
export function providerNotes(kind: BookingKind, data: BookingData, texts: Texts): Note[] {
  return [
    { label: texts.labels.reason, text: noticesWithReason.includes(kind) ? manyLines(data.message) : '' },
    { label: texts.labels.messageFrom(shortName(data, texts)), text: manyLines(data.note) },
  ].filter(hasText)
}

const hasText = ({ text }: Note) => text !== ''

const primary: MessageButton[] = ['accept', 'answers', 'calendar', 'again']

/** Not what the hint is about: rescheduling and cancelling, or a decision. */
const first: MessageButton[] = ['answers', 'calendar']

export type Link = Omit<Button, 'href'> & { href: string | null }
type Links = { hint: string | null; buttons: Link[] }

/** Each link grants access: the consumer's never goes to the provider, nor the provider's to the consumer. */
export function linksOf(
  kind: BookingKind,
  data: BookingData,
  { buttons, hints }: Texts,
  until: string | null,
): Links {
  const hrefs: Record<MessageButton, string | null> = {
    answers: data.answersLink ?? null,
    calendar: data.calendarLink ?? null,
    // After a refused or withdrawn move the booking itself is still there.
    again: data.previous ? null : (data.againLink ?? null),
    move: data.moveLink ?? null,
    cancel: data.cancelLink ?? null,
    details: data.detailsLink ?? null,
    withdraw: data.cancelLink ?? null,
    accept: data.acceptLink ?? null,
    decline: data.declineLink ?? null,
    my: data.myLink ?? null,
  }
  const message: Message = messages[kind]
  // Withdrawing a request to reschedule leaves the booking as it is.
  const hint = message.hint === 'withdraw' && data.previous && !data.onlyAsked ? 'keep' : message.hint
  return {
    hint: hint && [hints[hint], until].filter(Boolean).join(' '),
    buttons: message.buttons.map(name => ({
      label: buttons[name],
      href: hrefs[name],
      // One at most: a booking without answers needs them more than an entry in a calendar.
      primary: primary.includes(name) && !(name === 'calendar' && hrefs.answers),
      isFirst: first.includes(name),
      isAside: name === 'my',
    })),
  }
}
