import { languages } from '../../languages.ts'
import { isDate } from '../questions/questions.ts'

// Dates, times and numbers as spreadsheets of several countries write them.

/** Whether 3/4/2026 is in April or in March. */
export const dateOrders = ['dmy', 'mdy'] as const
export type DateOrder = (typeof dateOrders)[number]

const pad = (number: number | string, length = 2) => String(number).padStart(length, '0')

/** Names of months, long and short, in the languages of the service; English ones win where two differ. */
const months = new Map(
  languages.toReversed().flatMap(language =>
    (['long', 'short'] as const).flatMap(month =>
      Array.from({ length: 12 }, (_, index) => {
        const name = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' }).format(
          Date.UTC(2026, index, 5),
        )
        return [plain(name), index + 1] as const
      }),
    ),
  ),
)

/** Lower case, without accents and dots. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '')
    .replaceAll('ß', 'ss')
    .trim()
}

/** Two digits mean the latest such year up to `latestYear`. */
function wholeYear(text: string, latestYear: number): number {
  if (text.length > 2) return Number(text)
  const century = Math.floor(latestYear / 100) * 100
  const year = century + Number(text)
  return year > latestYear ? year - 100 : year
}

/** As 2026-12-31; null if it is no date. A time after it is ignored. */
export function readDay(text: string, order: DateOrder, latestYear = 2099): string | null {
  const parts = dayParts(text.trim(), order)
  if (!parts) return null
  const [year, month, day] = parts
  const date = `${pad(wholeYear(year, latestYear), 4)}-${pad(month)}-${pad(day)}`
  return isDate(date) ? date : null
}

type DayParts = [year: string, month: number | string, day: string]

function dayParts(text: string, order: DateOrder): DayParts | null {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text)
  if (iso) return [iso[1]!, iso[2]!, iso[3]!]
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d\d)(?!\d)/.exec(text)
  if (dotted) return [dotted[3]!, dotted[2]!, dotted[1]!]
  const [_match, first, second, year] = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4}|\d\d)(?!\d)/.exec(text) ?? []
  if (year) return order === 'dmy' ? [year, second!, first!] : [year, first!, second!]
  return namedParts(text)
}

/** 3. März 2026, 3 Mar 2026, March 3, 2026. */
function namedParts(text: string): DayParts | null {
  const [_match, day, name, year] =
    /^(\d{1,2})(?:\.|st|nd|rd|th)?[\s-]+(?:de\s+)?([^\d\s,-]+)[\s-]+(?:de\s+)?(\d{4})(?!\d)/.exec(text) ?? []
  const [_otherMatch, otherName, otherDay, otherYear] =
    /^([^\d\s]+)\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/.exec(text) ?? []
  const month = months.get(plain(name ?? otherName ?? ''))
  return month ? [(year ?? otherYear)!, month, (day ?? otherDay)!] : null
}

/** As 14:30; null if it is no time of day. */
export function readClock(text: string): string | null {
  const [_match, hours, minutes = '00', half] =
    /^(\d{1,2})(?:[:.h]\s?(\d\d)(?::\d\d(?:\.\d+)?)?|\s?h)?\s*(?:uhr)?\s*([ap]\.?m\.?)?$/i.exec(
      text.trim(),
    ) ?? []
  if (hours === undefined) return null
  const hour = half ? (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hours)
  if (hour > 23 || Number(minutes) > 59 || (half && Number(hours) > 12)) return null
  return `${pad(hour)}:${minutes}`
}

/** As 2026-12-31T14:30; an offset in the text stays. */
export function readMoment(text: string, order: DateOrder): string | null {
  const trimmed = text.trim()
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(trimmed)) return trimmed
  const [_match, time] =
    /[\s,]+(\d{1,2}(?:[:.h]\s?\d\d(?::\d\d)?)?\s*(?:uhr|h)?\s*(?:[ap]\.?m\.?)?)$/i.exec(trimmed) ?? []
  const day =
    time === undefined ? null : readDay(trimmed.slice(0, -time.length).replace(/[\s,]+$/, ''), order)
  const clock = time === undefined ? null : readClock(time)
  return day && clock ? `${day}T${clock}` : null
}

/** Null if the values do not tell. */
export function guessDateOrder(values: string[]): DateOrder | null {
  for (const value of values) {
    const [_match, first, second] = /^(\d{1,2})[-/](\d{1,2})[-/]\d{2,4}/.exec(value) ?? []
    if (Number(first) > 12) return 'dmy'
    if (Number(second) > 12) return 'mdy'
  }
  return null
}

/** 1.234,50 and 1,234.50 and 12,5 and 12.5; null if it is no number. */
export function readDecimal(text: string): number | null {
  const bare = text.replace(/[\s\u00a0\u202f'’]|€|\$|£|eur|chf|usd|gbp/gi, '')
  if (!/^[+-]?\d[\d.,]*$/.test(bare)) return null
  const last = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'))
  const separators = bare.replace(/[^.,]/g, '')
  // Three digits after a lone kind of separator are thousands.
  const isThousands = new Set(separators).size === 1 && (separators.length > 1 || bare.length - last === 4)
  const whole = last < 0 || isThousands ? bare : bare.slice(0, last)
  const rest = last < 0 || isThousands ? '' : bare.slice(last + 1)
  if (!isGrouped(whole)) return null
  const value = Number(`${whole.replace(/[.,]/g, '')}.${rest || '0'}`)
  return Number.isFinite(value) ? value : null
}

const isGrouped = (whole: string) => /^[+-]?(\d+|\d{1,3}([.,])\d{3}(\2\d{3})*)$/.test(whole)

const yes = new Set([
  '1',
  'x',
  'true',
  'on',
  'yes',
  'y',
  'ja',
  'j',
  'oui',
  'o',
  'si',
  's',
  'wahr',
  'vrai',
  'verdadero',
  'vero',
])
const no = new Set(['0', 'false', 'off', 'no', 'n', 'nein', 'non', 'falsch', 'faux', 'falso'])

export function readYesNo(text: string): boolean | null {
  const word = plain(text)
  return yes.has(word) ? true : no.has(word) ? false : null
}
