/** For schemas; needs the flag `u`. What is published is clicked on: no other scheme than these two. */
export const webAddressPattern = '^[hH][tT][tT][pP][sS]?://[^\\s\\p{C}"\'<>\\\\/?#][^\\s\\p{C}"\'<>\\\\]*$'

const pattern = new RegExp(webAddressPattern, 'u')

export const isWebAddress = (text: string) => pattern.test(text) && URL.canParse(text)

/** Browsers skip blanks and control characters in front of a scheme and inside it. */
export function namesDangerousScheme(text: string): boolean {
  const bare = text.replace(/[\s\p{C}]/gu, '').toLowerCase()
  return /^(javascript|vbscript|data|file|blob):/.test(bare)
}
