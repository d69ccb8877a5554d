import { oneLine } from '../../lib/clean-text.ts'

// Valid email addresses. Stricter than mail servers (no quoted local parts, no address literals), because
// every address comes from a form.

const atom = '[^\\s\\p{Cc}@<>,;".]+'
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'

/** For schemas; needs the flag `u`. */
export const emailPattern = `^${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`

const email = new RegExp(emailPattern, 'u')

export const isEmail = (text: string) => text.length <= maximumEmailLength && email.test(text)

export const maximumEmailLength = 254

/** Where to insert the number of an email variant: ann@x becomes ann+1@x, ann+shop@x becomes ann+shop1@x. */
export function emailVariantParts(email: string): { before: string; after: string } {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  return { before: local.includes('+') ? local : `${local}+`, after: email.slice(at) }
}

/** For schemas; needs the flag `u`. Published addresses become links, so only http and https are allowed. */
export const webAddressPattern = '^[hH][tT][tT][pP][sS]?://[^\\s\\p{C}"\'<>\\\\/?#][^\\s\\p{C}"\'<>\\\\]*$'

const webAddress = new RegExp(webAddressPattern, 'u')

export const isWebAddress = (text: string) => webAddress.test(text) && URL.canParse(text)

/** Browsers ignore blanks and control characters before and inside a scheme. */
export function namesDangerousScheme(text: string): boolean {
  const bare = text.replace(/[\s\p{C}]/gu, '').toLowerCase()
  return /^(javascript|vbscript|data|file|blob):/.test(bare)
}

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
