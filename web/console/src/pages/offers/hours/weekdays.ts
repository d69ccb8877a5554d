import { locale } from '../../../words.ts'

/** 1 is Monday. */
export function weekdayName(day: number, length: 'long' | 'short' = 'long'): string {
  const monday = Date.UTC(2024, 0, 1)
  return new Intl.DateTimeFormat(locale.tag, { weekday: length, timeZone: 'UTC' }).format(
    monday + (day - 1) * 86_400_000,
  )
}
