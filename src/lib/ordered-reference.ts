import { randomInt } from 'node:crypto'

const base = 36
const letters = 6

/**
 * A reference for what a consumer makes, after the moment at which it is made: an index of such references grows at its end, where
 * those made of UUIDs would go into any of its pages and split them. Two of one moment differ by chance, one in two billion alike.
 */
export function orderedReference(): string {
  const chance = randomInt(base ** letters)
    .toString(base)
    .padStart(letters, '0')
  return `${Date.now().toString(base)}${chance}@consumer`
}
