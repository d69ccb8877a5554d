import ipaddr from 'ipaddr.js'

/**
 * Whom limits count as one: an IPv4 address, or the /64 of an IPv6 address, since whoever has one of its addresses has all
 * of them. An IPv4 address written as an IPv6 one is the IPv4 address. Null for what is no address.
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
