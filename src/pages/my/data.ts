import type { OwnPage } from '../../actions/booking/own-page.ts'
import type { Booking } from '../../db/booking/bookings.ts'
import { toldFields } from '../../entities/customer.ts'
import { pick } from '../../entities/entity.ts'
import { makePdf, type PdfSection } from '../../lib/pdf.ts'
import { whenOf } from '../../messages/content/when.ts'
import { wishLines } from '../../messages/content/wish-text.ts'
import { forConsumer } from '../../rules/questions/define.ts'
import { readableAnswers } from '../../rules/questions/readable.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { detailLines, proposalSection } from '../record/record.ts'
import { recordWords } from '../record/words.ts'
import { myTexts } from './texts.ts'

// What a person takes along from their own page: what they told the business and what they booked. Internal
// notes, tags and fields of staff are part of the record that the business hands out.

const answersOf = ({ answers, questions, providerLanguage }: Booking, language: OwnPage['language']) =>
  readableAnswers(forConsumer(questions ?? []), answers ?? {}, language, providerLanguage)

export function ownDataJson(page: OwnPage): string {
  const { provider, email, customers, bookings, entries, proposals, language } = page
  const data = {
    provider: { name: provider.name, email: provider.email },
    email,
    people: customers.map(one => ({ ...pick(one, toldFields), formerEmails: one.formerEmails })),
    bookings: bookings.map(one => ({
      uuid: one.participationUuid,
      name: one.name,
      email: one.email,
      mobile: one.mobile,
      note: one.note,
      state: one.state,
      start: toUtcText(one.startAt),
      end: toUtcText(one.endAt),
      service: one.productName,
      with: one.resourceName,
      places: one.places,
      placeNames: one.placeNames ?? [],
      answers: answersOf(one, language).map(({ label, text }) => ({ question: label, answer: text })),
    })),
    waitingList: entries.map(one => ({
      state: one.state,
      service: one.productName,
      from: one.fromDate,
      to: one.toDate,
      note: one.note,
    })),
    proposals: proposals.map(one => ({
      name: one.name,
      email: one.email,
      mobile: one.mobile,
      note: one.note,
      start: toUtcText(one.startAt),
      end: toUtcText(one.endAt),
      service: one.productName,
      with: one.resourceName,
      heldUntil: one.expiresAt === null ? null : toUtcText(one.expiresAt),
      answers: one.proposal?.answers ?? {},
    })),
  }
  return `${JSON.stringify(data, null, 2)}\n`
}

export function ownDataPdf(page: OwnPage): Buffer {
  const { provider, customers, bookings, entries, proposals, language } = page
  const words = recordWords[language]
  const filled = (lines: [string, string | null | undefined][]) =>
    lines.filter((line): line is [string, string] => Boolean(line[1]))
  const sectionOf = (one: Booking): PdfSection => ({
    heading: whenOf(
      { start: toUtcText(one.startAt), end: toUtcText(one.endAt), timeZone: one.timeZone },
      language,
    ).sentence,
    lines: filled([
      [words.name, one.name],
      [words.service, `${one.productName}, ${one.resourceName}`],
      [words.state, words.states[one.state as 'BOOKED']],
      [words.note, one.note],
      ...answersOf(one, language).map(({ label, text }) => [label, text] as [string, string]),
    ]),
  })
  return makePdf(myTexts[language].myData, [
    ...customers.map(one => ({
      heading: one.name,
      lines: filled([[words.by, provider.name], ...detailLines(one, language)]),
    })),
    ...bookings.map(sectionOf),
    ...proposals.map(one => proposalSection(one, language)),
    ...entries.map(one => ({
      heading: words.waiting,
      lines: filled([[one.productName, wishLines(one, language).join('\n')]]),
    })),
  ])
}
