import { locale } from '../../words.ts'

/** A birth date has no zone. */
export const birthDay = (date: string): string =>
  new Intl.DateTimeFormat(locale.tag, { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${date}T00:00Z`),
  )
