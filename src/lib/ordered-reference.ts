import { randomInt, randomUUID } from 'node:crypto'

// References that start with their time of creation. An index of such references grows at its end; random
// UUIDs would split pages everywhere.

const base = 36
const letters = 6

/** A short reference. Two made in the same millisecond collide once in two billion. */
export function orderedReference(): string {
  const chance = randomInt(base ** letters)
    .toString(base)
    .padStart(letters, '0')
  return `${Date.now().toString(base)}${chance}@consumer`
}

/** Made from a UUID that starts with the time; the rest is random. */
export function orderedUuidReference(): string {
  const moment = Date.now().toString(16).padStart(12, '0')
  return `${moment.slice(0, 8)}-${moment.slice(8)}${randomUUID().slice(13)}@consumer`
}
