import { proposalsTo } from '../../actions/booking/propose.ts'
import type { Held } from '../../db/booking/held.ts'
import { mailsTo } from '../../db/mail-list.ts'
import { customerHistory } from '../../db/scheduling/customer-search.ts'
import type { CustomerRow } from '../../db/scheduling/customers.ts'
import { entriesOfCustomer } from '../../db/scheduling/waiting-entries.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { allQuestions } from '../../db/setup/questions.ts'
import type { Language } from '../../languages.ts'
import { makePdf, type PdfSection } from '../../lib/pdf.ts'
import { whenOf } from '../../messages/content/when.ts'
import { wishLines } from '../../messages/content/wish-text.ts'
import { textsIn } from '../../messages/texts/index.ts'
import { isAboutBooking, type MessageKind } from '../../rules/messages/messages.ts'
import type { StoredAnswers } from '../../rules/questions/define.ts'
import { readableAnswers } from '../../rules/questions/readable.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { type PersonLine, recordWords } from './words.ts'

/** All that is kept about a Customer, as a document in one language, for a data request. */
export async function recordPdf(
  service: Service,
  provider: ProviderRow,
  row: CustomerRow,
  language: Language,
  now: number,
): Promise<Buffer> {
  const { db } = service
  const addresses = [...row.formerEmails, ...(row.email ? [row.email.toLowerCase()] : [])]
  const [history, waiting, emails, questions, proposals] = await Promise.all([
    customerHistory(db, row.id, null),
    entriesOfCustomer(db, row.id),
    mailsTo(db, provider.id, addresses),
    allQuestions(db, provider.id),
    proposalsTo(service, provider.id, addresses),
  ])
  const words = recordWords[language]
  const answersOf = (answers: StoredAnswers | null): Line[] =>
    readableAnswers(questions, answers ?? {}, language, provider.language as Language).map(one => [
      one.label,
      one.text,
    ])
  const spanText = (start: number, end: number) =>
    whenOf({ start: toUtcText(start), end: toUtcText(end), timeZone: provider.timeZone }, language).sentence
  const momentText = (at: number) =>
    new Intl.DateTimeFormat(language, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: provider.timeZone,
    }).format(at)
  const attendance = { ATTENDED: words.came, MISSED: words.missed }
  return makePdf(words.title(row.name), [
    {
      heading: words.person,
      lines: filled([
        [words.by, provider.name],
        [words.at, momentText(now)],
        ...detailLines(row, language),
        ...answersOf(row.fields as StoredAnswers),
        [words.tags, row.tags.join(', ')],
        [words.note, row.note],
      ]),
    },
    ...history.map(
      (one): PdfSection => ({
        heading: spanText(one.start, one.end),
        lines: filled([
          [words.service, `${one.productName}, ${one.resourceName}`],
          [words.state, words.states[one.state as 'BOOKED']],
          ['', one.attendance ? attendance[one.attendance] : null],
          [words.note, one.note],
          ...answersOf(one.answers),
        ]),
      }),
    ),
    ...proposals.map(one => proposalSection(one, language)),
    ...section(
      words.waiting,
      waiting.map(one => [one.productName, [...wishLines(one, language), one.note ?? ''].join('\n').trim()]),
    ),
    ...section(
      words.emails,
      emails.map(one => [momentText(one.at), `${headingOf(one.kind, language)} (${one.recipient})`]),
    ),
  ])
}

/** What an agent entered for the person, who has not confirmed it. Consents are theirs to give. */
export function proposalSection(one: Held, language: Language): PdfSection {
  const words = recordWords[language]
  const times = { start: toUtcText(one.startAt), end: toUtcText(one.endAt), timeZone: one.timeZone }
  const given = Object.entries(one.proposal?.answers ?? {}).filter(([_key, value]) => value !== null)
  const answers = Object.fromEntries(given) as StoredAnswers
  return {
    heading: whenOf(times, language).sentence,
    lines: filled([
      [words.name, one.name],
      [words.mobile, one.mobile],
      [words.service, `${one.productName}, ${one.resourceName}`],
      [words.state, words.proposed],
      [words.note, one.note],
      ...readableAnswers(one.questions ?? [], answers, language, one.providerLanguage).map(
        ({ label, text }): Line => [label, text],
      ),
    ]),
  }
}

const headingOf = (kind: MessageKind, language: Language): string =>
  isAboutBooking(kind) ? textsIn(language).mails[kind].heading : kind

type Line = [label: string, text: string]

const section = (heading: string, lines: Line[]): PdfSection[] =>
  lines.length > 0 ? [{ heading, lines }] : []

const filled = (lines: [string, string | null | undefined][]): Line[] =>
  lines.filter((line): line is Line => Boolean(line[1]))

/** What the person has told the business. */
export function detailLines(row: CustomerRow, language: Language): [string, string | null | undefined][] {
  const words = recordWords[language]
  const { street, number, zip, city, countryCode } = row.address ?? {}
  const address = [[street, number], [zip, city], [countryCode]]
    .map(parts => parts.filter(Boolean).join(' '))
    .filter(Boolean)
    .join(', ')
  const birth = row.birthDate && new Date(`${row.birthDate}T00:00Z`)
  const texts: Record<PersonLine, string | null | undefined> = {
    name: row.name,
    email: row.email,
    formerEmails: row.formerEmails.filter(one => one !== row.email?.toLowerCase()).join(', '),
    mobile: row.mobile,
    language:
      row.language && new Intl.DisplayNames(language, { type: 'language' }).of(row.language.slice(0, 2)),
    birthDate:
      birth && new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(birth),
    address,
    insurer: row.insurer,
    insuranceNumber: row.insuranceNumber,
  }
  return Object.entries(texts).map(([name, text]) => [words[name as PersonLine], text])
}
