/** The six characters that a username must not contain. */
export const forbiddenInUsername = /[/?:&#\\]/

/** `uniqueId@platformName`: something before the last at sign and something behind it, no blanks. */
export function isPlatformReference(reference: string): boolean {
  return /^[^\s]+@[^\s@]+$/.test(reference)
}

/** Where the number of an email's variant goes: ann@x becomes ann+1@x, ann+shop@x becomes ann+shop1@x. */
export function emailVariantParts(email: string): { before: string; after: string } {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  return { before: local.includes('+') ? local : `${local}+`, after: email.slice(at) }
}

export const branches = ['real-estate', 'facilities', 'handyman', 'sports-and-leisure', 'misc'] as const
export type Branch = (typeof branches)[number]

export const isBranch = (text: string): text is Branch => (branches as readonly string[]).includes(text)

export const maximumEmailLength = 254
