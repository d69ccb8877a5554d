/** A tsquery for `name_words()`: each typed word begins a word of the name. Null if nothing was typed. */
export function beginningsOf(text: string): string | null {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
  return words.length === 0 ? null : words.map(word => `'${word.slice(0, 200)}':*`).join(' & ')
}
