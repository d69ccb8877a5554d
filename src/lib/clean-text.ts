// Cleans outside text before it is stored or becomes part of an email.

// Bidirectional overrides and isolates can reorder the rest of a subject or URL for the reader.
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g
const controls = /(?!\n)\p{Cc}/gu
const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** Text that may span several lines. */
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

/** Text for a subject, a name or a cell. Line breaks are removed, so no header can be injected. */
export function oneLine(value: string | null | undefined): string {
  return manyLines(value).replace(/\s+/g, ' ')
}

/** Cuts at grapheme boundaries, so that no emoji is split. */
export function shorten(value: string, length: number): string {
  if (value.length <= length) return value
  const graphemes = Array.from(new Intl.Segmenter().segment(value), part => part.segment)
  return graphemes.length <= length ? value : `${graphemes.slice(0, length).join('').trimEnd()}…`
}

/** The text of a link: a long address is cut off. */
export const shortAddress = (text: string): string => (/^https?:/i.test(text) ? shorten(text, 60) : text)

/**
 * The name to greet, or null. A booker can enter another person's address and an advertisement with a link as
 * the name; such a "name" is not used.
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

const maximumLength = 1024

/** Form input as PostgreSQL can store it; null if it is empty. */
export function typedText(value: unknown): string | null {
  const text = String(value ?? '')
    .replaceAll('\0', '')
    .toWellFormed()
    .trim()
  return [...text].slice(0, maximumLength).join('') || null
}
