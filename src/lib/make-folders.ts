import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates the folder and its parents. Node's recursive mkdir loops forever where the system reports a missing
 * path although the parent exists, as below /proc.
 */
export function makeFolders(path: string): void {
  if (!existsSync(path) && dirname(path) !== path) makeFolders(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if (!existsSync(path)) throw error
    // Accepts an existing folder; throws if the path is something else.
    mkdirSync(path, { recursive: true })
  }
}
