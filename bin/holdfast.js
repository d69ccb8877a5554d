#!/usr/bin/env node
// @ts-check
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare } from '../scripts/prepare.js'

// A clone runs its sources, a package what was made of them when it was packed.
const source = new URL('../src/main.ts', import.meta.url)
const isClone = existsSync(source)
const main = isClone ? source : new URL('../dist/server/src/main.js', import.meta.url)

if (isClone) await prepareOrExplain()
if (canRun()) await import(main.href)
else handOver()

async function prepareOrExplain() {
  try {
    await prepare('start')
  } catch (error) {
    console.error(/** @type {Error} */ (error).message)
    process.exit(1)
  }
}

/** Our programs use Temporal, and those of a clone are TypeScript; a Node that lacks either hands over to the one of our packages. */
function canRun() {
  return 'Temporal' in globalThis && Boolean(process.features.typescript || !isClone)
}

function handOver() {
  const node = packagedNode()
  if (!node) {
    console.error(
      `Holdfast needs Node 26, and this is ${process.version}. The package "node" brings it along, but its install script was not run: allow it (npm approve-scripts node), or start Holdfast with Node 26.`,
    )
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => forward(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))

  /** @param {NodeJS.Signals} signal */
  function forward(signal) {
    // A terminal sends its signals to both of us, and a second Ctrl-C would look like impatience.
    const byTerminal = signal !== 'SIGTERM' && process.stdin.isTTY
    if (!byTerminal) child.kill(signal)
  }
}

/** Wherever npm has put it: beside us, or below us. */
function packagedNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    const node = join(folder, 'bin', 'node')
    return existsSync(node) ? node : null
  } catch {
    return null
  }
}
