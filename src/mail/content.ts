// What a mail says, before it is printed as text and as HTML.

import type { Language } from '../languages.ts'
import { manyLines, nameToGreet, oneLine, shorten, webLink } from '../lib/clean.ts'
import type {
  BookingData,
  BookingKind,
  LoginData,
  VerificationData,
  WebhookData,
} from '../rules/news/mails.ts'
import { mails } from '../rules/news/mails.ts'
import { bothTimes } from './both-times.ts'
import { consumerNotes, consumerRows, factsOf, linksOf, providerNotes, providerRows } from './details.ts'
import type { Button, Content } from './letter-parts.ts'
import { textsIn } from './texts/index.ts'
import type { Texts } from './texts/shape.ts'

const product = 'Holdfast'

export function verificationContent(language: Language, data: VerificationData): Content {
  const texts = textsIn(language)
  const { subject, lead, button, ignore } = texts.verification
  return oneButton(language, data, { subject, lead, button, closing: ignore, why: texts.why.user })
}

export function loginContent(
  kind: 'login' | 'invitation',
  language: Language,
  { name, link, place }: LoginData,
): Content {
  const texts = textsIn(language)
  const said =
    kind === 'login'
      ? { ...texts.login, closing: texts.login.ignore }
      : {
          ...texts.invitation,
          lead: texts.invitation.lead(place ? shorten(oneLine(place), 100) : null),
          closing: texts.invitation.later,
        }
  return oneButton(language, { name, link }, { ...said, why: texts.why.user })
}

type Said = { subject: string; lead: string; button: string; closing: string; why: string }

/** A sentence and a button. */
function oneButton(language: Language, { name, link }: VerificationData, said: Said): Content {
  return {
    language,
    brand: { name: product, logo: null, accent: null },
    subject: said.subject,
    preview: said.closing,
    heading: said.subject,
    greeting: textsIn(language).greeting(nameToGreet(name)),
    lead: said.lead,
    when: null,
    off: false,
    rows: [],
    notes: [],
    hint: null,
    buttons: buttonsOf([{ label: said.button, href: link, primary: true }]),
    closing: [said.closing],
    footer: [said.why],
  }
}

export function webhookContent(language: Language, data: WebhookData): Content {
  const texts = textsIn(language)
  const { subject, goOn, address, ...leads } = texts.webhookOff
  const heading = subject(shorten(oneLine(data.crm), 60))
  return {
    language,
    brand: { name: product, logo: null, accent: null },
    subject: heading,
    preview: goOn,
    heading,
    greeting: texts.greeting(nameToGreet(data.name)),
    lead: leads[data.reason],
    when: null,
    off: false,
    // Not as a link: nobody opens it in a browser.
    rows: [{ label: address, lines: [{ label: null, text: shorten(oneLine(data.url), 300), href: null }] }],
    notes: [],
    hint: null,
    buttons: [],
    closing: [goOn],
    footer: [texts.why.user],
  }
}

export function bookingContent(kind: BookingKind, language: Language, data: BookingData): Content {
  const texts = textsIn(language)
  const mail = kind === 'declined' && data.withdrawn ? texts.withdrawn : texts.mails[kind]
  const toConsumer = mails[kind].to === 'consumer'
  const when = bothTimes(data, language, toConsumer ? 'consumer' : 'provider')
  const facts = factsOf(data, texts, when.brief)
  const off = mails[kind].over
  const brief = { ...facts, what: shorten(facts.what, 60), consumer: shorten(facts.consumer, 60) }
  const reader = toConsumer ? 'consumer' : 'provider'
  const previous = data.previous ? bothTimes({ ...data, ...data.previous }, language, reader).sentence : ''
  const until = data.changeUntil && mails[kind].hint === 'change' ? untilText(data, language) : null
  const links = linksOf(kind, data, texts, until)
  const buttons = buttonsOf(links.buttons)
  return {
    language,
    brand: {
      name: facts.provider,
      logo: webLink(data.provider.logoUrl),
      accent: data.provider.accentColor ?? null,
    },
    subject: mail.subject(brief),
    preview: `${when.sentence}, ${when.zone}`,
    heading: mail.heading,
    greeting: texts.greeting(toConsumer ? nameToGreet(data.consumer.name) : null),
    lead: [mail.lead(facts), toConsumer && keptOf(kind, data, texts)].filter(Boolean).join(' '),
    when,
    off,
    rows: toConsumer ? consumerRows(data, texts, off, previous) : providerRows(data, texts, previous),
    notes: toConsumer ? consumerNotes(data, texts, off) : providerNotes(kind, data, texts),
    hint: buttons.length > 0 ? links.hint : null,
    buttons,
    closing: toConsumer ? [texts.closing, facts.provider] : [],
    footer: [
      toConsumer ? texts.why.consumer : texts.why.provider(facts.provider),
      manyLines(data.provider.impressum) ||
        [facts.provider, oneLine(data.provider.email)].filter(Boolean).join('\n'),
    ],
  }
}

/** Whoever asks to move must not wonder whether they have given up what they have. */
function keptOf(kind: BookingKind, { previous, onlyAsked }: BookingData, { kept }: Texts): string | null {
  if (!previous || onlyAsked) return null
  if (kind === 'requested') return kept.until
  return mails[kind].over ? kept.still : null
}

/** Said before it is too late. */
function untilText(data: BookingData, language: Language): string {
  const until = { ...data, start: data.changeUntil!, end: data.changeUntil! }
  return textsIn(language).hints.until(bothTimes(until, language, 'consumer').brief)
}

/** A link that is not one for a browser is left out rather than shown. */
function buttonsOf(links: { label: string; href: string | null; primary: boolean }[]): Button[] {
  return links.flatMap(link => {
    const href = webLink(link.href)
    return href ? [{ ...link, href }] : []
  })
}
