// Unicode date patterns (`EEEE, d. MMMM yyyy`), compiled once and used for every slot of a list.

import { dayText, fourDigits, type LocalParts, minuteText, twoDigits } from './civil.ts'
import type { Names } from './names.ts'

export { type Names, namesFor } from './names.ts'

export type Pattern = readonly Piece[]
type Piece = (parts: LocalParts, names: Names) => string

type PatternError =
  | { reason: 'letter'; letter: string }
  | { reason: 'unterminated-quote' }
  | { reason: 'too-long' }

const MAX_PATTERN_LENGTH = 200

export function compilePattern(text: string): { pattern: Pattern } | { error: PatternError } {
  if (text.length > MAX_PATTERN_LENGTH) return { error: { reason: 'too-long' } }
  const pattern: Piece[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    const piece = pieceOf(token)
    if ('error' in piece) return piece
    pattern.push(piece.piece)
  }
  return { pattern }
}

export function formatPattern(pattern: Pattern, parts: LocalParts, names: Names): string {
  let text = ''
  for (const piece of pattern) text += piece(parts, names)
  return text
}

// The parts of the default patterns come first, in one piece each, because that halves the time; then quoted
// text, a run of one letter, anything else, and an unclosed quote.
const TOKEN = /yyyy-MM-dd(?!d)|HH:mm(?!m)|'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+|'/g

function pieceOf(token: string): { piece: Piece } | { error: PatternError } {
  if (token === "'") return { error: { reason: 'unterminated-quote' } }
  if (token === "''") return literal("'")
  if (token.startsWith("'")) return literal(token.slice(1, -1).replaceAll("''", "'"))
  if (!/^[A-Za-z]/.test(token)) return literal(token)
  const piece = FIELDS.get(token)
  return piece ? { piece } : { error: { reason: 'letter', letter: token } }
}

function literal(text: string): { piece: Piece } {
  return { piece: () => text }
}

const shortWeekday: Piece = (parts, names) => names.shortWeekdays[parts.weekday - 1] ?? ''

const FIELDS = new Map<string, Piece>([
  ['yyyy-MM-dd', ({ dayNumber }) => dayText(dayNumber)],
  ['HH:mm', ({ hour, minute }) => minuteText(hour * 60 + minute)],
  ['yyyy', ({ year }) => fourDigits(year)],
  ['yy', ({ year }) => twoDigits(year % 100)],
  ['y', ({ year }) => `${year}`],
  ['MMMM', ({ month }, names) => names.months[month - 1] ?? ''],
  ['MMM', ({ month }, names) => names.shortMonths[month - 1] ?? ''],
  ['MM', ({ month }) => twoDigits(month)],
  ['M', ({ month }) => `${month}`],
  ['dd', ({ day }) => twoDigits(day)],
  ['d', ({ day }) => `${day}`],
  ['EEEE', ({ weekday }, names) => names.weekdays[weekday - 1] ?? ''],
  ['EEE', shortWeekday],
  ['EE', shortWeekday],
  ['E', shortWeekday],
  ['HH', ({ hour }) => twoDigits(hour)],
  ['H', ({ hour }) => `${hour}`],
  ['hh', ({ hour }) => twoDigits(twelveHour(hour))],
  ['h', ({ hour }) => `${twelveHour(hour)}`],
  ['mm', ({ minute }) => twoDigits(minute)],
  ['m', ({ minute }) => `${minute}`],
  ['ss', ({ second }) => twoDigits(second)],
  ['s', ({ second }) => `${second}`],
  ['a', ({ hour }, names) => (hour < 12 ? names.am : names.pm)],
])

/** Midnight and noon are both 12. */
function twelveHour(hour: number): number {
  return hour % 12 === 0 ? 12 : hour % 12
}
