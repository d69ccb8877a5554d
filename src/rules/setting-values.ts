// Parsers of setting values: each returns the value, or throws an error that says what is allowed.

import { isIP } from 'node:net'
import { isLanguage, type Language, languages } from '../languages.ts'
import { isEmail } from './people/addresses.ts'
import { crmNameRule, isCrmName } from './references.ts'
import { isTimeZone } from './time/time.ts'

export function text(value: string) {
  return value
}

export function flag(value: string) {
  if (['1', 'true', 'yes', 'on'].includes(value)) return true
  if (['0', 'false', 'no', 'off'].includes(value)) return false
  throw new Error('must be 1 or 0.')
}

export function integer(from: number, to: number) {
  return (value: string) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < from || number > to)
      throw new Error(`must be a whole number from ${from} to ${to}.`)
    return number
  }
}

export function atLeast(length: number) {
  return (value: string) => {
    if (value.length < length) throw new Error(`is too short: use at least ${length} characters.`)
    return value
  }
}

export function oneOf<T extends string>(...allowed: T[]) {
  return (value: string) => {
    if (!allowed.includes(value as T)) throw new Error(`must be one of ${allowed.join(', ')}.`)
    return value as T
  }
}

export function language(value: string): Language {
  if (!isLanguage(value)) throw new Error(`must be one of ${languages.join(', ')}.`)
  return value
}

export function timeZone(value: string) {
  if (!isTimeZone(value)) throw new Error('is not a time zone; use one such as Europe/Berlin.')
  return value
}

export function webAddress(value: string) {
  const url = parseAddress(value, ['http:', 'https:'], 'https://www.example.org')
  if (url.pathname !== '/' || url.search || url.hash)
    throw new Error('must be an origin without a path, for example https://www.example.org.')
  return url.origin
}

export function collector(value: string) {
  return parseAddress(value, ['http:', 'https:'], 'http://localhost:4318').href
}

export function share(value: string) {
  const number = Number(value)
  if (!(number >= 0 && number <= 1)) throw new Error('must be a number from 0 to 1, for example 0.1.')
  return number
}

// Not parsed as a URL: the driver accepts `postgres://user@/db?host=/run/postgresql`, which is not a valid
// URL.
export function postgresAddress(value: string) {
  if (!/^postgres(ql)?:\/\//.test(value))
    throw new Error('must be an address such as postgres://user:password@host:5432/holdfast.')
  return value
}

export function hostName(value: string) {
  if (!/^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(value))
    throw new Error('must be a name such as example.org.')
  return value.toLowerCase()
}

export function smtpAddress(value: string) {
  const example = 'smtp://user:password@mail.example.org:587'
  if (!parseAddress(value, ['smtp:', 'smtps:'], example).hostname)
    throw new Error(`must name the mail server, as in ${example}.`)
  return value
}

/** `true`, a number of hops, or a list of addresses. */
export function proxies(value: string) {
  if (/^(true|false|\d+)$/.test(value)) return value
  const wrong = value.split(',').find(part => !isNetwork(part.trim()))
  if (wrong === undefined) return value
  throw new Error(
    `must be true, a number of hops, or addresses such as 10.0.0.0/8, which "${wrong.trim()}" is not.`,
  )
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '1'] = text.split('/')
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  const isRange = /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest
  return isRange || ['loopback', 'linklocal', 'uniquelocal'].includes(text)
}

export function issuer(value: string) {
  parseAddress(value, ['http:', 'https:'], 'https://login.example.org')
  return value
}

export function crmName(value: string) {
  if (!isCrmName(value)) throw new Error(crmNameRule)
  return value
}

export function sender(value: string) {
  const address = value.match(/^[^<>]*<([^<>]*)>$/)?.[1] ?? value
  if (!isEmail(address)) throw new Error('must be an email address such as Holdfast <no-reply@example.org>.')
  return value
}

function parseAddress(value: string, protocols: string[], example: string) {
  const url = URL.parse(value)
  if (!url || !protocols.includes(url.protocol)) throw new Error(`must be an address such as ${example}.`)
  return url
}

export const apiKeyPattern = /^hf_[a-z0-9]{4,16}_[A-Za-z0-9-]{24,}$/

export function apiKey(value: string) {
  if (!apiKeyPattern.test(value))
    throw new Error(
      'must have the form hf_<prefix>_<secret>: prefix 4 to 16 of a-z 0-9, secret at least 24 of A-Z a-z 0-9 -.',
    )
  return value
}
