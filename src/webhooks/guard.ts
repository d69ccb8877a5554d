import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { AddressRule } from '../error-texts.ts'
import { limitLookups } from './limit-lookups.ts'

// The CRM chooses the URL of a webhook, so it must not reach what only this machine can reach: loopback,
// private networks, cloud metadata. The address is checked when the connection is made, and exactly that
// address is used, so DNS rebinding has no effect.

const forbidden4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // behind a provider's NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocols
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const)
  forbidden4.addSubnet(network, bits, 'ipv4')

/** All public IPv6 addresses; those that embed an IPv4 address are excluded. */
const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')
const forbidden6 = new BlockList()
for (const [network, bits] of [
  ['2001::', 23], // protocols, Teredo
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
] as const)
  forbidden6.addSubnet(network, bits, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !forbidden4.check(address, 'ipv4')
  const [plain = ''] = address.split('%')
  return family === 6 && public6.check(plain, 'ipv6') && !forbidden6.check(plain, 'ipv6')
}

/** One message for both cases: a CRM must not learn which names exist inside our network. */
class UnreachableName extends Error {
  constructor() {
    super('The name does not lead to an address of the public internet.')
  }
}

/** What is wrong with the URL as written; null if nothing. Names are resolved when a connection is made. */
export function addressProblem(text: string, allowPrivate: boolean): AddressRule | null {
  const url = URL.parse(text)
  if (!url) return 'https-address:form'
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'https-address'
  if (url.username || url.password) return 'address-login'
  if (!allowPrivate && isLiteral(url) && !isPublicAddress(hostOf(url))) return 'private-address'
  return null
}

// URL parsing has already normalised odd spellings (0x7f.1, 2130706433, [::ffff:127.0.0.1]).
const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')
const isLiteral = (url: URL) => isIP(hostOf(url)) !== 0

/** A lookup for connection options that returns only allowed addresses. */
export function guardedLookup(allowPrivate: boolean, lookup: typeof resolve = resolve): LookupFunction {
  const limited = limitLookups(lookup)
  return (hostname, options, done) => {
    limited(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(allowPrivate ? error : new UnreachableName(), '', 0)
      const allowed = allowPrivate ? addresses : addresses.filter(one => isPublicAddress(one.address))
      if (allowed.length === 0) return done(new UnreachableName(), '', 0)
      if (options.all) return done(null, allowed)
      return done(null, allowed[0]!.address, allowed[0]!.family)
    })
  }
}
