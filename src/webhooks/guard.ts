import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

// Whose server a webhook leads to is the CRM's word. It must not reach what only this machine reaches: loopback, private
// networks, the metadata of a cloud. So the address is checked when the connection is made, and it is the checked one that
// is connected to: a name that means something else a moment later gains nothing.

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

/** All that is public in IPv6 is in here; what leads to an IPv4 address in disguise is not wanted either. */
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

class ForbiddenAddress extends Error {
  constructor() {
    super('The address is private, or not one of the public internet.')
  }
}

/** What is wrong with the address as it is written; null: nothing. Names are looked up when a connection is made. */
export function whyNotAllowed(text: string, allowPrivate: boolean): string | null {
  const url = URL.parse(text)
  if (!url) return 'must be an address such as https://example.org/hooks'
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return 'must begin with https://'
  if (url.username || url.password) return 'must not hold a user name or password'
  if (!allowPrivate && isLiteral(url) && !isPublicAddress(hostOf(url)))
    return 'must not lead to a private address'
  return null
}

// Odd spellings (0x7f.1, 2130706433, [::ffff:127.0.0.1]) have become plain addresses in a URL.
const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')
const isLiteral = (url: URL) => isIP(hostOf(url)) !== 0

/** For the options of a connection: answers with addresses that are allowed, and with those only. */
export function guardedLookup(allowPrivate: boolean, lookup: typeof resolve = resolve): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0)
      const allowed = allowPrivate ? addresses : addresses.filter(one => isPublicAddress(one.address))
      if (allowed.length === 0) return done(new ForbiddenAddress(), '', 0)
      if (options.all) return done(null, allowed)
      return done(null, allowed[0]!.address, allowed[0]!.family)
    })
  }
}
