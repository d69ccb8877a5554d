import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

// Two spellings of one number are one person: +49 171 1234567, 0049 171 1234567, and 0171/1234567 in Germany.

/** The number as people are found by it: E.164, or what is left of a text that is no number. Null for nothing. */
export function mobileKey(text: string | null | undefined, country: string | null): string | null {
  if (!text?.trim()) return null
  const number = parsePhoneNumberFromString(
    international(text),
    (country ?? undefined) as CountryCode | undefined,
  )
  if (number?.isPossible()) return number.number
  return text.replace(/[^\p{L}\p{N}+]/gu, '').toLowerCase() || null
}

/** Does the number say which country it is of? */
export const namesCountry = (text: string) => international(text).startsWith('+')

const international = (text: string) => text.trim().replace(/^00(?=\s*[1-9])/, '+')

/** The digits with which a number may begin of which somebody typed this much: with the country's code, or as within the country. */
export function numberBeginnings(text: string, country: string | null): string[] {
  const digits = text.replace(/\D/g, '')
  if (international(text).startsWith('+') || !country) return withoutCode(digits.replace(/^00/, ''), country)
  const code = getCountryCallingCode(country as CountryCode)
  // Italians dial the zero also from abroad.
  return [...new Set([digits, code + digits.replace(/^0/, ''), code + digits])]
}

function withoutCode(digits: string, country: string | null): string[] {
  const code = country && getCountryCallingCode(country as CountryCode)
  return code && digits.startsWith(code) ? [digits, `0${digits.slice(code.length)}`] : [digits]
}

let countries: Map<string, string | null> | undefined

/** The country in which clocks go by this zone; null where there is none, or no single one. */
export function countryOfZone(timeZone: string): string | null {
  countries ??= new Map(
    getCountries().flatMap(country => zonesOf(country).map(zone => [zone, country] as const)),
  )
  if (!countries.has(timeZone)) countries.set(timeZone, countries.get(nameInTables(timeZone)) ?? null)
  return countries.get(timeZone) ?? null
}

/** A zone has several names (Asia/Kolkata, Asia/Calcutta), and the tables of countries know one of them. Slow. */
const nameInTables = (zone: string) =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

const zonesOf = (country: string): string[] =>
  new Intl.Locale('und', { region: country }).getTimeZones?.() ?? []
