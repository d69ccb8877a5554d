import { readFileSync } from 'node:fs'

// In a clone the programs are TypeScript in src; in a package, where Node strips no types, they are JavaScript in
// dist/server/src. What they read beside themselves is at the same place in both.

const isPacked = import.meta.url.endsWith('.js')

const root = new URL(isPacked ? '../../../../' : '../../', import.meta.url)

/** A file or folder of ours by its path from the root of the project. */
export const ours = (path: string) => new URL(path, root)

/** A program of ours that runs in a process or thread of its own, by its path in src. */
export const program = (path: string) =>
  isPacked ? ours(`dist/server/src/${path.replace(/\.ts$/, '.js')}`) : ours(`src/${path}`)

export const { version } = JSON.parse(readFileSync(ours('package.json'), 'utf8')) as { version: string }
