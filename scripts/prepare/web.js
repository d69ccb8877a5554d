// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './root.js'
import { run, withProgress } from './run.js'

const web = join(root, 'web')
const stamp = join(root, 'dist', 'web', '.stamp')

export function webIsBuilt() {
  return parts().length === 0 || (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint())
}

export async function buildWeb() {
  const source = fingerprint()
  await withProgress(
    {
      doing: 'Building the web pages ...',
      done: 'Web pages built',
      failed: 'The web pages could not be built: fix the errors above and run the command again.',
    },
    async () => {
      for (const part of parts()) await build(part)
    },
  )
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, source)
}

// Each part is built from its own folder, which is Vite's root.
/** @param {string} part */
function build(part) {
  const node = join(root, 'node_modules', '.bin', 'node')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  return run(node, [vite, 'build', '--logLevel', 'warn'], { cwd: part, env })
}

function parts() {
  if (!existsSync(web)) return []
  return readdirSync(web)
    .map(name => join(web, name))
    .filter(folder => existsSync(join(folder, 'vite.config.ts')))
}

function fingerprint() {
  const hash = createHash('sha256')
  const shared = filesBelow(join(root, 'src', 'rules', 'questions'))
  for (const file of [
    join(root, 'package-lock.json'),
    join(root, 'tsconfig.json'),
    ...shared,
    ...filesBelow(web),
  ])
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter(entry => entry.name !== 'node_modules')
    .flatMap(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
    })
}
