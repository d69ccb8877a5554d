import { readFileSync } from 'node:fs'

// In a clone the programs are TypeScript in src; in a package they are JavaScript in dist/server/src, because
// Node strips no types there. Files they read are at the same place in both.

const isPacked = import.meta.url.endsWith('.js')

const root = new URL(isPacked ? '../../../../' : '../../', import.meta.url)

/** A file or folder of the project, by its path from the root. */
export const packagePath = (path: string) => new URL(path, root)

/** A program that runs in its own process or thread, by its path in src. */
export const runnableProgram = (path: string) =>
  isPacked ? packagePath(`dist/server/src/${path.replace(/\.ts$/, '.js')}`) : packagePath(`src/${path}`)

export const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as {
  version: string
}
