import type { Entry } from '../../records.ts'
import { format, instant } from '../../time.ts'
import { answerLines } from './answer-texts.ts'
import { csvCell } from './csv-cell.ts'
import { labelOf, type QuestionRecord } from './questions.ts'

export const csvText = (rows: string[][]): string =>
  `\ufeff${rows.map(row => row.map(csvCell).join(',')).join('\r\n')}\r\n`

type Heads = {
  time: string
  customer: string
  email: string
  mobile: string
  service: string
  where: string
  note: string
}

/** One line for each participant, with a column for each question that has an answer. */
export function csvOf(entries: Entry[], questions: QuestionRecord[], zone: string, heads: Heads): string {
  const people = entries
    .filter(entry => entry.state === 'ACTIVE')
    .flatMap(entry => entry.people.map(person => ({ entry, person })))
    .filter(({ person }) => person.state === 'BOOKED' || person.state === 'REQUESTED')
  const asked = questions.filter(one => people.some(({ person }) => Object.hasOwn(person.answers, one.key)))
  const rows = people.map(({ entry, person }) => {
    const lines = answerLines(asked, person.answers)
    return [
      format.when(instant(entry.start), zone),
      person.name ?? '',
      person.email ?? '',
      person.mobile ?? '',
      entry.product.name,
      entry.resource.name,
      [person.note, entry.notes].filter(Boolean).join(' · '),
      ...asked.map(one => lines.find(line => line.key === one.key)?.text ?? ''),
    ]
  })
  const { time, customer, email, mobile, service, where, note } = heads
  const head = [time, customer, email, mobile, service, where, note, ...asked.map(one => labelOf(one.label))]
  return csvText([head, ...rows])
}

export function download(name: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
