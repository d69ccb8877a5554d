import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { clockNow } from './clock.ts'

/** What a signed link allows. A token made for one purpose opens nothing else. */
const linkPurposes = [
  'verify',
  'cancel',
  'move',
  'decide',
  'booked',
  'answers',
  'details',
  'offer',
  'confirm',
  'waiting',
  'leave',
  'my',
  'events',
] as const
type Purpose = (typeof linkPurposes)[number] | 'device'

/** Keys by purpose, in base64. */
export type LinkKeys = Partial<Record<string, string>>

/** Another installation whose CRM is here now, and one of the keyrings that it signed with. */
export type FormerSigner = {
  crmId: number
  sourceCrmId: number
  eraBase: number
  keyOf(purpose: string): KeyObject | null
}

export type Signer = {
  /** A token that names its subject and expiry and cannot be forged; it holds no personal data. */
  sign(purpose: Purpose, subject: string, expiresAt: number): string
  /** The subject, or null if the token is foreign, tampered with, expired or made for another purpose. */
  open(purpose: Purpose, token: string, now?: number): string | null
  /** The same, and who may have signed it. Several installations can share a key. */
  openFrom(
    purpose: Purpose,
    token: string,
  ): { subject: string; isOurs: boolean; former: FormerSigner[] } | null
  /** What these installations have signed opens from now on. Nothing new is signed with their keys. */
  adopt(former: FormerSigner[]): void
  /** What another installation needs in order to open what was signed here. */
  linkKeys(): LinkKeys[]
  /** A separate key for another purpose. */
  key(purpose: string): KeyObject
  /** That key, and the one derived from the previous secret. */
  keys(purpose: string): KeyObject[]
}

/** Tokens signed with `previous` stay valid; new ones are signed with the current secret only. */
export function makeSigner(secretKey: string, previous: string | null = null): Signer {
  const current = keyring(secretKey)
  const rings = previous === null ? [current] : [current, keyring(previous)]
  let adopted: FormerSigner[] = []
  const opened = (purpose: Purpose, token: string, now: number) => {
    const [subjectPart = '', endPart = ''] = token.split('.')
    const subject = Buffer.from(subjectPart, 'base64url').toString('utf8')
    const end = Number.parseInt(endPart, 36)
    if (!Number.isSafeInteger(end) || now >= end * 1000) return null
    // Several texts decode to the same bytes; only the canonical one is accepted.
    const isSignedWith = (key: KeyObject | null) => key !== null && isSame(token, write(key, subject, end))
    const isOurs = rings.some(ring => isSignedWith(ring(purpose)))
    const former = adopted.filter(one => isSignedWith(one.keyOf(purpose)))
    return isOurs || former.length > 0 ? { subject, isOurs, former } : null
  }
  return {
    key: purpose => current(`key:${purpose}`),
    keys: purpose => rings.map(ring => ring(`key:${purpose}`)),
    sign: (purpose, subject, expiresAt) => write(current(purpose), subject, Math.ceil(expiresAt / 1000)),
    open: (purpose, token, now = clockNow()) => opened(purpose, token, now)?.subject ?? null,
    openFrom: (purpose, token) => opened(purpose, token, clockNow()),
    adopt(former) {
      adopted = former
    },
    linkKeys: () =>
      rings.map(ring =>
        Object.fromEntries(linkPurposes.map(purpose => [purpose, ring(purpose).export().toString('base64')])),
      ),
  }
}

/** One key per purpose, derived on first use. */
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

/** `subject.end.signature`; the end in seconds, in base 36 to keep links short. */
function write(key: KeyObject, subject: string, end: number): string {
  const content = `${Buffer.from(subject, 'utf8').toString('base64url')}.${end.toString(36)}`
  const mac = createHmac('sha256', key).update(content).digest().subarray(0, 20)
  return `${content}.${mac.toString('base64url')}`
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
