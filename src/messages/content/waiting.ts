import type { Language } from '../../languages.ts'
import { nameToGreet, oneLine, shorten, webLink } from '../../lib/clean-text.ts'
import type { BookingData, OfferData, WaitingData, WaitingKind } from '../../rules/messages/messages.ts'
import { textsIn } from '../texts/index.ts'
import { proposalTexts } from '../texts/proposal.ts'
import type { Texts } from '../texts/shape.ts'
import { waitingTexts } from '../texts/waiting.ts'
import { brandOf, consumerNotes, consumerRows, factsOf, legalNotice, textRow } from './details.ts'
import { type Content, plain } from './parts.ts'
import { bothTimes } from './times-in-both-zones.ts'
import { wishLines } from './wish-text.ts'

/** A time is held for a person: offered by the waiting list, or proposed by an agent. */
export function offerContent(kind: 'offer' | 'proposal', language: Language, data: OfferData): Content {
  const texts = textsIn(language)
  const { offer, why } = kind === 'offer' ? waitingTexts[language] : proposalTexts[language]
  const when = bothTimes(data, language, 'consumer')
  const facts = factsOf(data, texts, when.brief)
  const until = bothTimes(
    { ...data, start: data.offerUntil, end: data.offerUntil },
    language,
    'consumer',
  ).brief
  const previous = data.previous
    ? bothTimes({ ...data, ...data.previous }, language, 'consumer').sentence
    : ''
  return {
    language,
    brand: brandOf(data.provider, oneLine(data.provider.name)),
    subject: offer.subject(`${when.brief} – ${shorten(facts.what, 60)}`),
    preview: offer.until(until),
    heading: offer.heading,
    greeting: texts.greeting(nameToGreet(data.consumer.name)),
    lead: [offer.lead(facts.provider), data.previous ? offer.earlier : ''].filter(Boolean).join(' '),
    when,
    off: false,
    rows: consumerRows(
      { ...data, priceText: null, answers: null },
      texts,
      false,
      textRow(texts.labels.kept, previous),
    ),
    notes: consumerNotes(data, texts, false),
    hint: [offer.until(until), offer.decline].join(' '),
    buttons: [...buttonTo(offer.button, data.offerLink), ...myButton(data, texts)],
    closing: [texts.closing, facts.provider],
    footer: [why, legalNotice(data.provider, facts.provider)],
  }
}

/** Asks to confirm, or says that the entry has ended. */
export function waitingContent(kind: WaitingKind, language: Language, data: WaitingData): Content {
  const texts = textsIn(language)
  const { confirm, ended, labels, why } = waitingTexts[language]
  const provider = shorten(oneLine(data.provider.name), 100)
  const isEnd = kind === 'waiting-ended'
  const subject = isEnd ? ended.subject(provider) : confirm.subject(provider)
  const lead = isEnd ? ended[data.because === 'unanswered' ? 'unanswered' : 'over'] : confirm.lead(provider)
  const after = isEnd ? ended.leave : confirm.after
  const lines = [oneLine(data.productName), ...wishLines(data.wish, language)]
  return {
    ...plain,
    language,
    brand: brandOf(data.provider, oneLine(data.provider.name)),
    subject,
    preview: after,
    heading: isEnd ? ended.heading : confirm.heading,
    greeting: texts.greeting(nameToGreet(data.name)),
    lead,
    rows: [
      {
        label: isEnd ? labels.wished : labels.wish,
        lines: lines.map(text => ({ label: null, text, href: null })),
      },
    ],
    hint: after,
    buttons: [...buttonTo(isEnd ? ended.button : confirm.button, data.link), ...myButton(data, texts)],
    closing: isEnd ? [texts.closing, provider] : [`${texts.ignore}\n`, texts.closing, provider],
    footer: [why, legalNotice(data.provider, provider)],
  }
}

function buttonTo(label: string, link: string | null | undefined, primary = true) {
  const href = webLink(link)
  return href ? [{ label, href, primary }] : []
}

/** To the person's own page. */
const myButton = ({ myLink }: Pick<BookingData, 'myLink'>, { buttons }: Texts) =>
  buttonTo(buttons.my, myLink, false).map(button => ({ ...button, isAside: true }))
