import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

// Standard Webhooks: https://www.standardwebhooks.com

/** The standard requires 24 to 64 random bytes. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

// The library signs with HMAC (v1) only; ed25519 (v1a) is Node's. A key is stored as its two parts of a JWK.

/** The private key of a webhook, which never leaves the service. */
export function newSigningKey(): string {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return `${d}.${x}`
}

/** What receivers check signatures with. */
export const publicKeyOf = (signingKey: string) =>
  `whpk_${Buffer.from(signingKey.split('.')[1]!, 'base64url').toString('base64')}`

function signWithKey(signingKey: string, content: string): string {
  const [d, x] = signingKey.split('.') as [string, string]
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
  return `v1a,${sign(null, Buffer.from(content), key).toString('base64')}`
}

/**
 * Signature headers for the receiver. During a rotation, each secret and key signs. HMAC comes first, because
 * receivers may not know the other.
 */
export function signedHeaders(
  secrets: string[],
  id: string,
  at: Date,
  body: string,
  signingKeys: string[] = [],
) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = [
    ...secrets.map(secret => new Webhook(secret).sign(id, at, body)),
    ...signingKeys.map(key => signWithKey(key, `${id}.${timestamp}.${body}`)),
  ]
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
