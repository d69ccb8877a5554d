/** Recognisable to the person, but to no one else: `Ann Berg` becomes `A** B***`. */
export function maskName(name: string): string {
  return name.split(/\s+/).map(masked).join(' ')
}

/** `ann@example.org` becomes `a**@e******.org`. */
export function maskEmail(email: string | null): string {
  if (!email) return ''
  const at = email.lastIndexOf('@')
  const [host = '', ...rest] = email.slice(at + 1).split('.')
  return `${masked(email.slice(0, at))}@${[masked(host), ...rest].join('.')}`
}

/** The first letter of a one-letter word would reveal all of it. */
function masked(word: string): string {
  const [first = '', ...rest] = word
  return rest.length === 0 ? '*' : first + '*'.repeat(rest.length)
}
