import { locale } from '../../../words.ts'

const countries = 'DE AT CH FR ES IT BE NL LU DK SE PL CZ GB IE US'.split(' ')

const names = new Intl.DisplayNames([locale.tag], { type: 'region' })

/** To choose from; one that is set already is among them, whichever it is. */
export const countryOptions = (current = 'DE') =>
  [...new Set([...countries, current])].map(value => ({ value, label: names.of(value) ?? value }))

type WithZones = { getTimeZones?: () => string[] | undefined }

/** Where the business is, as far as its clock tells and the browser knows. */
export const countryOf = (timeZone: string) =>
  countries.find(one => (new Intl.Locale(`und-${one}`) as WithZones).getTimeZones?.()?.includes(timeZone)) ??
  'DE'
