import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What a signed link allows. A token made for one purpose opens nothing else. */
export type Purpose = 'verify' | 'cancel' | 'decide'

export type Signer = {
  /** A token that names its subject and cannot be forged; it holds nothing personal. */
  sign(purpose: Purpose, subject: string): string
  /** The subject, or null when the token is not ours, tampered with, or made for something else. */
  open(purpose: Purpose, token: string): string | null
  /** A key of its own for something else that must not be guessed. */
  key(purpose: string): KeyObject
}

export function makeSigner(secretKey: string): Signer {
  const keys = new Map<string, KeyObject>()
  const keyFor = (purpose: string) => {
    const known = keys.get(purpose)
    if (known) return known
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, 'holdfast', `link:${purpose}`, 32)))
    keys.set(purpose, key)
    return key
  }
  const mac = (purpose: Purpose, subject: string) =>
    createHmac('sha256', keyFor(purpose)).update(subject).digest().subarray(0, 20)

  return {
    key: purpose => keyFor(`key:${purpose}`),
    sign: (purpose, subject) => `${encode(subject)}.${mac(purpose, subject).toString('base64url')}`,
    open(purpose, token) {
      const [subjectPart = '', macPart = ''] = token.split('.')
      const subject = Buffer.from(subjectPart, 'base64url').toString('utf8')
      const given = Buffer.from(macPart, 'base64url')
      const right = mac(purpose, subject)
      const genuine = given.length === right.length && timingSafeEqual(given, right)
      // Several texts decode to the same bytes; only the one that we wrote is ours.
      return genuine && token === `${encode(subject)}.${right.toString('base64url')}` ? subject : null
    },
  }
}

const encode = (subject: string) => Buffer.from(subject, 'utf8').toString('base64url')
