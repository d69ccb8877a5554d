import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

// Secrets that we must know again in plain: whoever reads the database alone learns nothing.

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function seal(key: KeyObject, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** With whichever of the keys it was sealed; null for what was sealed with another, or tampered with. */
export function unseal(keys: KeyObject[], sealed: Buffer): string | null {
  for (const key of keys)
    try {
      return unsealWith(key, sealed)
    } catch {
      // The next one, then.
    }
  return null
}

function unsealWith(key: KeyObject, sealed: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}
