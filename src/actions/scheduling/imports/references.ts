import { sha256 } from '../../../lib/hash.ts'

/**
 * The same for the same line of the same file: importing a file again, or twice at the same time, finds the Customers of the
 * first import instead of adding them again.
 */
export function madeUpReference(digest: string, name: string): string {
  const hex = sha256(`${digest}\n${name}`).toString('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return `${parts.join('-')}@console`
}
