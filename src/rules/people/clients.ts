import ipaddr from 'ipaddr.js'

/**
 * The unit that rate limits count: an IPv4 address, or the /64 of an IPv6 address, because a client usually
 * controls all of it. An IPv4-mapped IPv6 address counts as IPv4. Null if the text is not an address.
 */
export function clientOfAddress(address: string): string | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const prefix = parsed.toByteArray().slice(0, 8)
  return `${ipaddr.fromByteArray([...prefix, 0, 0, 0, 0, 0, 0, 0, 0])}/64`
}

export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

/** The mailbox behind an address: `Ann+shop@Example.org` is read by ann@example.org. */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  const plus = local.indexOf('+')
  return plus > 0 ? local.slice(0, plus) + address.slice(at) : address
}
