import type { Language } from '../../languages.ts'
import { oneLine, webLink } from '../../lib/clean-text.ts'
import { type BookingData, messages, type SeriesDate } from '../../rules/messages/messages.ts'
import { textsIn } from '../texts/index.ts'
import { type SeriesKind, seriesTexts } from '../texts/series.ts'
import { bookingContent } from './content.ts'
import { factsOf } from './details.ts'
import type { Content, Line } from './parts.ts'
import { bothTimes } from './times-in-both-zones.ts'

/** One email about several dates: a list of them takes the place of the one time. */
export function seriesContent(kind: SeriesKind, language: Language, data: BookingData): Content {
  const texts = seriesTexts[language]
  const dates = data.dates ?? []
  const toConsumer = messages[kind].to === 'consumer'
  const isOver = messages[kind].over
  const content = bookingContent(kind, language, { ...data, previous: null })
  const facts = {
    ...factsOf(data, textsIn(language), content.when!.brief),
    count: dates.length,
  }
  const said = texts.mails[kind]
  const isLinked = toConsumer && !isOver && dates.some(date => date.pageLink)
  const lines = dates.map(date => dateLine(data, date, language, { toConsumer, isLinked }))
  // Across a clock change it names both offsets.
  const whole = { ...data, end: dates.at(-1)?.end ?? data.end }
  const { zone } = bothTimes(whole, language, toConsumer ? 'consumer' : 'provider')
  const row = { label: texts.dates, lines: [...lines, { label: null, text: zone, href: null }] }
  return {
    ...content,
    subject: said.subject(facts),
    heading: said.heading,
    lead: said.lead(facts),
    when: null,
    rows: [row, ...content.rows],
    hint: isLinked ? texts.hint : null,
    // Each date has its own page; only the link to all bookings is about the whole.
    buttons: content.buttons.filter(({ href }) => href === webLink(data.myLink)),
  }
}

function dateLine(
  data: BookingData,
  date: SeriesDate,
  language: Language,
  { toConsumer, isLinked }: { toConsumer: boolean; isLinked: boolean },
): Line {
  const reader = toConsumer ? 'consumer' : 'provider'
  const timeOf = (span: { start: string; end: string }) =>
    bothTimes({ ...data, ...span }, language, reader).sentence
  const other = (field: 'productName' | 'resourceName') =>
    data.dates!.some(one => one[field] !== date[field]) && date[field] ? ` · ${oneLine(date[field])}` : ''
  const more = date.previous ? seriesTexts[language].before(timeOf(date.previous)) : ''
  return {
    label: null,
    text: `${timeOf(date)}${other('productName')}${other('resourceName')}`,
    href: isLinked ? webLink(date.pageLink) : null,
    isPage: true,
    more,
  }
}
