// @ts-check
// Runs before and after `npm pack`: a package contains built pages and compiled JavaScript, because Node
// strips no types inside node_modules, and pins all its dependencies to the versions of our own lock file.
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { locked } from './prepare/lock.js'
import { root } from './prepare/root.js'
import { run, withProgress } from './prepare/run.js'
import { prepare } from './prepare.js'

const programs = join(root, 'dist', 'server')
const lockOfPackage = join(root, 'npm-shrinkwrap.json')

async function before() {
  await prepare('pack')
  rmSync(programs, { recursive: true, force: true })
  await locked(() => withProgress(words, compile))
  copyFileSync(join(root, 'package-lock.json'), lockOfPackage)
}

const words = {
  doing: 'Making JavaScript of the programs ...',
  done: 'Programs made',
  failed: 'The programs could not be made: fix the errors above and run the command again.',
}

function compile() {
  const node = join(root, 'node_modules', '.bin', 'node')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return run(node, [tsc, '-p', join(root, 'scripts', 'pack', 'tsconfig.json')], {})
}

function after() {
  rmSync(lockOfPackage, { force: true })
}

await (process.argv[2] === 'after' ? after() : before())
