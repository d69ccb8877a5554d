// What comes from outside is tidied here before any part of a mail is built from it.

// Overrides and isolates can turn the rest of a subject or a URL around for the reader.
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g
const controls = /(?!\n)\p{Cc}/gu
const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** Text that may have several lines. */
export function manyLines(value: string | null | undefined): string {
  return (value ?? '')
    .toWellFormed()
    .replace(lineBreaks, '\n')
    .replace(/\t/g, ' ')
    .replace(controls, '')
    .replace(bidiControls, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Text for a subject, a name or a cell: no line break survives, so no header can be smuggled in. */
export function oneLine(value: string | null | undefined): string {
  return manyLines(value).replace(/\s+/g, ' ')
}

/** Cuts between what the eye takes for characters, so that no emoji is left in halves. */
export function shorten(value: string, length: number): string {
  if (value.length <= length) return value
  const graphemes = Array.from(new Intl.Segmenter().segment(value), part => part.segment)
  return graphemes.length <= length ? value : `${graphemes.slice(0, length).join('').trimEnd()}…`
}

/**
 * The name to greet, or null for a greeting without one. Anybody can enter a stranger's address and an
 * advertisement with a link as the name; such a "name" is not carried to the stranger.
 */
export function nameToGreet(value: string): string | null {
  const name = oneLine(value)
  const looksLikeAddress = /:\/\/|@|\S\.\p{L}{2}/u.test(name)
  return name === '' || looksLikeAddress || name.length > 80 ? null : name
}

export function webLink(value: string | null | undefined): string | null {
  const link = (value ?? '').trim()
  return /^https?:\/\/[^\s\p{C}]+$/iu.test(link) && URL.canParse(link) ? link : null
}

export function mailLink(value: string): string | null {
  return /^[^\s\p{C}@<>"?&]+@[^\s\p{C}@<>"?&]+$/u.test(value) ? `mailto:${encodeURI(value)}` : null
}

export function phoneLink(value: string): string | null {
  const number = value.replace(/[\s()./-]/g, '')
  return /^\+?\d{3,20}$/.test(number) ? `tel:${number}` : null
}
