import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

// Spellings of one number identify one person: +49 171 1234567, 0049 171 1234567, and 0171/1234567 in
// Germany.

/** The key for matching people by number: E.164, or the cleaned text if it is not a number. Null if empty. */
export function mobileKey(text: string | null | undefined, country: string | null): string | null {
  if (!text?.trim()) return null
  const number = parsePhoneNumberFromString(
    international(text),
    (country ?? undefined) as CountryCode | undefined,
  )
  if (number?.isPossible()) return number.number
  return text.replace(/[^\p{L}\p{N}+]/gu, '').toLowerCase() || null
}

/** Whether the number includes a country code. */
export const namesCountry = (text: string) => international(text).startsWith('+')

const international = (text: string) => text.trim().replace(/^00(?=\s*[1-9])/, '+')

/** Prefixes for a search by a partly typed number, with and without the country code. */
export function numberBeginnings(text: string, country: string | null): string[] {
  const digits = text.replace(/\D/g, '')
  if (international(text).startsWith('+') || !country) return withoutCode(digits.replace(/^00/, ''), country)
  const code = getCountryCallingCode(country as CountryCode)
  // Italian numbers keep the leading zero after the country code.
  return [...new Set([digits, code + digits.replace(/^0/, ''), code + digits])]
}

function withoutCode(digits: string, country: string | null): string[] {
  const code = country && getCountryCallingCode(country as CountryCode)
  return code && digits.startsWith(code) ? [digits, `0${digits.slice(code.length)}`] : [digits]
}

let countries: Map<string, string | null> | undefined

/** The country that uses this zone; null if there is none or more than one. */
export function countryOfZone(timeZone: string): string | null {
  countries ??= new Map(
    getCountries().flatMap(country => zonesOf(country).map(zone => [zone, country] as const)),
  )
  if (!countries.has(timeZone)) countries.set(timeZone, countries.get(nameInTables(timeZone)) ?? null)
  return countries.get(timeZone) ?? null
}

/** A zone has several names (Asia/Kolkata, Asia/Calcutta), and the country tables list one of them. Slow. */
const nameInTables = (zone: string) =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

const zonesOf = (country: string): string[] =>
  new Intl.Locale('und', { region: country }).getTimeZones?.() ?? []
