import { createHmac, hash, type KeyObject } from 'node:crypto'

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Equal content has an equal digest, whatever the order of its fields. */
export function digestOf(content: unknown): Buffer {
  return sha256(JSON.stringify(content, (_key, value) => (isPlain(value) ? sorted(value) : value)) ?? '')
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sorted = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

/** A keyed hash of an address that only needs to be recognised, never read. */
export const pseudonym = (key: KeyObject, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
