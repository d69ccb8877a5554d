import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes the folder and those above it. Node's own way tries for ever where the system says that there is no such place
 * although the folder above is there, as below /proc.
 */
export function makeFolders(path: string): void {
  if (!existsSync(path) && dirname(path) !== path) makeFolders(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if (!existsSync(path)) throw error
    // What is there is fine if it is a folder; if it is not, this says so.
    mkdirSync(path, { recursive: true })
  }
}
