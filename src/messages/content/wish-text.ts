import type { Language } from '../../languages.ts'
import { allWeekdays, clockOf, weekdaysIn } from '../../rules/waiting/wish.ts'
import { textsIn } from '../texts/index.ts'

/** What a person waits for. Dates such as 2030-01-07; minutes of the local day. */
export type WishedTime = {
  fromDate: string
  toDate: string
  weekdays: number
  fromMinute: number
  toMinute: number
}

/** Lines such as "7 – 18 January 2030", "Mon, Tue" and "08:00 – 12:00". */
export function wishLines(wish: WishedTime, language: Language): string[] {
  const { locale, timeRange } = textsIn(language)
  const dates = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  // Italian ranges begin with '02', unlike single dates.
  const period = dates.formatRange(new Date(wish.fromDate), new Date(wish.toDate)).replace(/\b0(?=\d\b)/g, '')
  const isWholeDay = wish.fromMinute === 0 && wish.toMinute === 1440
  return [
    period,
    ...(wish.weekdays === allWeekdays ? [] : [weekdaysIn(wish.weekdays).map(dayName(locale)).join(', ')]),
    ...(isWholeDay ? [] : [timeRange(clockOf(wish.fromMinute), clockOf(wish.toMinute))]),
  ]
}

/** 1 is Monday: 1 January 2024 was one. */
const dayName = (locale: string) => {
  const names = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  return (day: number) => names.format(Date.UTC(2024, 0, day))
}
