import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

// Encrypts secrets that we need in plain text later, so that reading the database alone reveals nothing.

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function seal(key: KeyObject, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Tries each key. Null if none fits or the value was tampered with. */
export function unseal(keys: KeyObject[], sealed: Buffer): string | null {
  for (const key of keys)
    try {
      return unsealWith(key, sealed)
    } catch {
      // Try the next key.
    }
  return null
}

function unsealWith(key: KeyObject, sealed: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}
