/** Enough to recognise oneself, too little for anybody else: `Ann Berg` is `A** B***`. */
export function maskName(name: string): string {
  return name.split(/\s+/).map(masked).join(' ')
}

/** `ann@example.org` is `a**@e******.org`. */
export function maskEmail(email: string | null): string {
  if (!email) return ''
  const at = email.lastIndexOf('@')
  const [host = '', ...rest] = email.slice(at + 1).split('.')
  return `${masked(email.slice(0, at))}@${[masked(host), ...rest].join('.')}`
}

/** A single letter would give the whole word away. */
function masked(word: string): string {
  const [first = '', ...rest] = word
  return rest.length === 0 ? '*' : first + '*'.repeat(rest.length)
}
