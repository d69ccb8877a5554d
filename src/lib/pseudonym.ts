import { createHmac, type KeyObject } from 'node:crypto'

/** A keyed hash of an address that only needs to be recognised, never read. */
export const pseudonym = (key: KeyObject, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
