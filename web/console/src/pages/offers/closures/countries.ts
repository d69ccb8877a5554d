import { locale } from '../../../words.ts'

const countries = 'DE AT CH FR ES IT BE NL LU DK SE PL CZ GB IE US'.split(' ')

const names = new Intl.DisplayNames([locale.tag], { type: 'region' })

/** The current country is always an option, even if the list does not contain it. */
export const countryOptions = (current = 'DE') =>
  [...new Set([...countries, current])].map(value => ({ value, label: names.of(value) ?? value }))

type WithZones = { getTimeZones?: () => string[] | undefined }

/** The country of a time zone, as far as the browser knows it. */
export const countryOf = (timeZone: string) =>
  countries.find(one => (new Intl.Locale(`und-${one}`) as WithZones).getTimeZones?.()?.includes(timeZone)) ??
  'DE'
