import { sha256 } from './hash.ts'

/** Equal content has an equal digest, whatever the order of its fields. */
export function digestOf(content: unknown): Buffer {
  return sha256(JSON.stringify(content, (_key, value) => (isPlain(value) ? sorted(value) : value)) ?? '')
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sorted = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
