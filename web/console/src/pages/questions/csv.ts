import { csvText } from '../../../../../src/lib/csv.ts'
import { common } from '../../common-words.ts'
import type { Entry, Person, Schemas } from '../../records.ts'
import { clockAt, instant } from '../../time.ts'
import { answerLines } from './answer-texts.ts'
import { labelOf, type QuestionRecord } from './questions.ts'

/** As spreadsheets read it: 2026-11-20 15:30. */
const timeText = (start: string, zone: string) => clockAt(instant(start), zone).replace('T', ' ')

/** A column for each question that has an answer. */
function answerColumns(questions: QuestionRecord[], all: Person['answers'][]) {
  const asked = questions.filter(one => all.some(answers => Object.hasOwn(answers, one.key)))
  return {
    heads: asked.map(one => labelOf(one.label)),
    cells(answers: Person['answers']) {
      const lines = answerLines(asked, answers)
      return asked.map(one => lines.find(line => line.key === one.key)?.text ?? '')
    },
  }
}

/** One line for each participant. */
export function csvOf(entries: Entry[], questions: QuestionRecord[], zone: string): string {
  const people = entries
    .filter(entry => entry.state === 'ACTIVE')
    .flatMap(entry => entry.people.map(person => ({ entry, person })))
    .filter(({ person }) => person.state === 'BOOKED' || person.state === 'REQUESTED')
  const columns = answerColumns(
    questions,
    people.map(({ person }) => person.answers),
  )
  const rows = people.map(({ entry, person }) => [
    timeText(entry.start, zone),
    person.name ?? '',
    person.email ?? '',
    person.mobile ?? '',
    entry.product.name,
    entry.resource.name,
    [person.note, entry.notes].filter(Boolean).join(' · '),
    ...columns.cells(person.answers),
  ])
  const { time, customer, email, mobileNumber, product, resource, note } = common
  const head = [time, customer, email, mobileNumber, product, resource, note, ...columns.heads]
  return csvText([head, ...rows])
}

type Visit = Schemas['CustomerHistoryLine']

/** One line for each appointment of a customer. */
export function historyCsv(visits: Visit[], questions: QuestionRecord[], zone: string): string {
  const columns = answerColumns(
    questions,
    visits.map(one => one.answers),
  )
  const rows = visits.map(one => [
    timeText(one.start, zone),
    common[one.attendance ?? one.state],
    one.productName,
    one.resourceName,
    one.note ?? '',
    ...columns.cells(one.answers),
  ])
  const { time, state, product, resource, note } = common
  return csvText([[time, state, product, resource, note, ...columns.heads], ...rows])
}

export function download(name: string, text: string, type = 'text/csv;charset=utf-8') {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
