// Valid email addresses. Stricter than mail servers (no quoted local parts, no address literals), because
// every address comes from a form.

const atom = '[^\\s\\p{Cc}@<>,;".]+'
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'

/** For schemas; needs the flag `u`. */
export const emailPattern = `^${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`

const pattern = new RegExp(emailPattern, 'u')

export const isEmail = (text: string) => text.length <= maximumEmailLength && pattern.test(text)

export const maximumEmailLength = 254

/** Where to insert the number of an email variant: ann@x becomes ann+1@x, ann+shop@x becomes ann+shop1@x. */
export function emailVariantParts(email: string): { before: string; after: string } {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  return { before: local.includes('+') ? local : `${local}+`, after: email.slice(at) }
}
