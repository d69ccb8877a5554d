#!/usr/bin/env node
// @ts-check
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { prepare } from '../scripts/prepare.js'

try {
  await prepare('start')
} catch (error) {
  console.error(/** @type {Error} */ (error).message)
  process.exit(1)
}

// The sources are TypeScript and use Temporal; a Node that lacks either hands over to the one of our packages.
if (process.features.typescript && 'Temporal' in globalThis) await import('../src/main.ts')
else handOver()

function handOver() {
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
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
