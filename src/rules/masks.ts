/** Enough to recognise oneself, too little for anybody else: `Ann Berg` is `A** B***`. */
export function maskName(name: string): string {
  return name
    .split(/\s+/)
    .map(word => word.slice(0, 1) + '*'.repeat(Math.max(0, [...word].length - 1)))
    .join(' ')
}

/** `ann@example.org` is `a**@e******.org`. */
export function maskEmail(email: string | null): string {
  if (!email) return ''
  const at = email.lastIndexOf('@')
  const [host = '', ...rest] = email.slice(at + 1).split('.')
  const masked = (text: string) => text.slice(0, 1) + '*'.repeat(Math.max(0, text.length - 1))
  return `${masked(email.slice(0, at))}@${[masked(host), ...rest].join('.')}`
}
