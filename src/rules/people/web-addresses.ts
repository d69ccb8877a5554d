/** For schemas; needs the flag `u`. Published addresses become links, so only http and https are allowed. */
export const webAddressPattern = '^[hH][tT][tT][pP][sS]?://[^\\s\\p{C}"\'<>\\\\/?#][^\\s\\p{C}"\'<>\\\\]*$'

const pattern = new RegExp(webAddressPattern, 'u')

export const isWebAddress = (text: string) => pattern.test(text) && URL.canParse(text)

/** Browsers ignore blanks and control characters before and inside a scheme. */
export function namesDangerousScheme(text: string): boolean {
  const bare = text.replace(/[\s\p{C}]/gu, '').toLowerCase()
  return /^(javascript|vbscript|data|file|blob):/.test(bare)
}
