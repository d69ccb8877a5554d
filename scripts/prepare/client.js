// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.js'
import { run, withProgress } from './run.js'

// The TypeScript client as JavaScript: the service offers it at /docs/holdfast-client.tgz.

const folder = join(root, 'clients', 'ts')
const source = join(folder, 'src')
const output = join(folder, 'dist')
const stamp = join(root, 'dist', 'client.stamp')

export function clientIsBuilt() {
  if (!existsSync(source)) return true
  return existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
}

export async function buildClient() {
  const from = fingerprint()
  const node = join(root, 'node_modules', '.bin', 'node')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await withProgress(
    {
      doing: 'Building the TypeScript client ...',
      done: 'Client built',
      failed: 'The client could not be built: fix the errors above and run the command again.',
    },
    () => {
      rmSync(output, { recursive: true, force: true })
      return run(node, [tsc, '-p', folder], {})
    },
  )
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stamp, from)
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const name of readdirSync(source).sort())
    hash.update(`${name}\0`).update(readFileSync(join(source, name)))
  return hash.update(readFileSync(join(folder, 'tsconfig.json'))).digest('hex')
}
