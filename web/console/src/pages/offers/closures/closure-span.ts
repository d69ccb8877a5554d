import { addDays } from '#shared/dates.ts'
import { localAt } from '#shared/zones.ts'
import type { Closure } from '../../../records.ts'
import { instant } from '../../../time.ts'

// A closure as a form shows it: people enter the last closed day, the API takes the first open one.

export type Span = Pick<Closure, 'from' | 'to' | 'allDay'>
export type ShownSpan = { allDay: boolean; first: string; last: string; start: string; end: string }

/** `from` and `to` are instants from the API or local text from the form; dates if `allDay`. */
export function shownSpan({ from, to, allDay: wasInDays }: Span, zone: string): ShownSpan {
  const allDay = from.endsWith('Z') ? wasInDays : from.length === 10
  const [begin, end] = [localText(from, zone), localText(to, zone)]
  return {
    allDay,
    first: begin.slice(0, 10),
    last: allDay && end ? addDays(end.slice(0, 10), -1) : end.slice(0, 10),
    start: begin.slice(11) || '08:00',
    end: end.slice(11) || '12:00',
  }
}

export function spanOf({ allDay, first, last, start, end }: ShownSpan): Pick<Span, 'from' | 'to'> {
  const until = last < first ? first : last
  if (!allDay) return { from: `${first}T${start}`, to: `${until}T${end}` }
  return { from: first, to: until && addDays(until, 1) }
}

const localText = (text: string, zone: string) => (text.endsWith('Z') ? localAt(instant(text), zone) : text)
