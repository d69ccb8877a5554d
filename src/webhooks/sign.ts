import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

// Standard Webhooks: https://www.standardwebhooks.com

/** The standard requires 24 to 64 random bytes. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Signature headers for the receiver. During a secret rotation, each secret signs. */
export function signedHeaders(secrets: string[], id: string, at: Date, body: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
