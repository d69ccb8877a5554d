import { createHmac, type KeyObject } from 'node:crypto'

/** What is kept of an address that only needs to be recognised: a hash that nobody without the key can guess back. */
export const pseudonym = (key: KeyObject, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
