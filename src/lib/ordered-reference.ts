import { randomInt, randomUUID } from 'node:crypto'

// References for what a consumer makes, after the moment at which it is made: an index of such references grows at its end, where
// those made of random UUIDs would go into any of its pages and split them.

const base = 36
const letters = 6

/** A short one. Two of one moment differ by chance, one in two billion alike. */
export function orderedReference(): string {
  const chance = randomInt(base ** letters)
    .toString(base)
    .padStart(letters, '0')
  return `${Date.now().toString(base)}${chance}@consumer`
}

/** One made of a UUID that begins with the moment; all the rest of it is random. */
export function orderedUuidReference(): string {
  const moment = Date.now().toString(16).padStart(12, '0')
  return `${moment.slice(0, 8)}-${moment.slice(8)}${randomUUID().slice(13)}@consumer`
}
