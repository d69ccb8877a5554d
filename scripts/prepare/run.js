// @ts-check
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Something that the person at the terminal can mend; the message is all there is to say. */
export class Failure extends Error {}

/**
 * Says what is done and how long it took. What the command itself says is shown only when it fails.
 * @param {{ doing: string, done: string, failed: string }} words
 * @param {() => Promise<void>} work
 */
export async function narrated(words, work) {
  const since = Date.now()
  console.log(words.doing)
  try {
    await work()
  } catch (error) {
    throw new Failure(`${/** @type {Error} */ (error).message}\n${words.failed}`)
  }
  console.log(`${words.done} (${((Date.now() - since) / 1000).toFixed(1)} s)`)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<void>} rejects with the last lines of the output
 */
export function run(command, args, options) {
  const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (/** @type {Buffer} */ chunk) => {
    output = (output + chunk).slice(-20_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  // Whoever is told to stop tells the child first, and then stops as if it had never listened.
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    child.kill(signal)
    process.exit(130)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const name of SIGNALS) process.off(name, stop)
      code === 0
        ? resolve()
        : reject(new Error(lastLines(output) || `${command} ended with ${signal ?? code}`))
    })
  })
}

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * The environment without the programs of our packages: npm puts them first, and an install replaces the very Node that
 * would be running it.
 */
export function environmentOutside() {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(folder => folder !== join(root, 'node_modules', '.bin'))
  return { ...process.env, PATH: path.join(delimiter) }
}

/** @param {string} output */
function lastLines(output) {
  return output.trim().split('\n').slice(-15).join('\n')
}
