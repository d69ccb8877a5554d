import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What a signed link allows. A token made for one purpose opens nothing else. */
type Purpose = 'verify' | 'cancel' | 'move' | 'decide' | 'booked' | 'details' | 'events'

export type Signer = {
  /** A token that names its subject and its end, and cannot be forged; it holds nothing personal. */
  sign(purpose: Purpose, subject: string, expiresAt: number): string
  /** The subject, or null when the token is not ours, tampered with, expired, or made for something else. */
  open(purpose: Purpose, token: string, now?: number): string | null
  /** A key of its own for something else that must not be guessed. */
  key(purpose: string): KeyObject
  /** That key, and the one it would be with the secret before. */
  keys(purpose: string): KeyObject[]
}

/** `previous` is the secret before this one: what it signed still opens, and nothing new is signed with it. */
export function makeSigner(secretKey: string, previous: string | null = null): Signer {
  const current = keyring(secretKey)
  const rings = previous === null ? [current] : [current, keyring(previous)]
  return {
    key: purpose => current(`key:${purpose}`),
    keys: purpose => rings.map(ring => ring(`key:${purpose}`)),
    sign: (purpose, subject, expiresAt) => write(current(purpose), subject, Math.ceil(expiresAt / 1000)),
    open(purpose, token, now = Date.now()) {
      const [subjectPart = '', endPart = ''] = token.split('.')
      const subject = Buffer.from(subjectPart, 'base64url').toString('utf8')
      const end = Number.parseInt(endPart, 36)
      if (!Number.isSafeInteger(end)) return null
      // Several texts decode to the same bytes; only the one that we would write is ours.
      const isOurs = rings.some(ring => isSame(token, write(ring(purpose), subject, end)))
      return isOurs && now < end * 1000 ? subject : null
    },
  }
}

/** One key for each purpose, made when it is first needed. */
function keyring(secret: string): (purpose: string) => KeyObject {
  const keys = new Map<string, KeyObject>()
  return purpose => {
    const known = keys.get(purpose)
    if (known) return known
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'holdfast', `link:${purpose}`, 32)))
    keys.set(purpose, key)
    return key
  }
}

/** `subject.end.signature`; the end in seconds, with letters to keep links short. */
function write(key: KeyObject, subject: string, end: number): string {
  const content = `${Buffer.from(subject, 'utf8').toString('base64url')}.${end.toString(36)}`
  const mac = createHmac('sha256', key).update(content).digest().subarray(0, 20)
  return `${content}.${mac.toString('base64url')}`
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
