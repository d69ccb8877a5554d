import { oneLine } from '../../lib/clean-text.ts'

type Address = {
  city?: string | null
  zip?: string | null
  street?: string | null
  number?: string | null
  countryCode?: string | null
}

/** An address on one line, for emails and calendars: 'Hauptstr. 5, 10115 Berlin, DE'. */
export function formatAddress(address: string | Address | null): string | null {
  if (address === null) return null
  return (typeof address === 'string' ? oneLine(address) : linesOf(address).join(', ')) || null
}

function linesOf({ street, number, zip, city, countryCode }: Address): string[] {
  return [words(street, number), words(zip, city), oneLine(countryCode).toUpperCase()].filter(Boolean)
}

function words(...parts: (string | null | undefined)[]): string {
  return parts.map(oneLine).filter(Boolean).join(' ')
}
