// @ts-check
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { noteChild } from './lock.js'
import { Failure, root } from './root.js'

/**
 * Says what is done and how long it took; on stderr, for the output belongs to the command that is run afterwards. What
 * the tool itself says is shown only when it fails.
 * @param {{ doing: string, done: string, failed: string }} words
 * @param {() => Promise<void>} work
 */
export async function narrated(words, work) {
  const since = Date.now()
  console.error(words.doing)
  try {
    await work()
  } catch (error) {
    throw new Failure(`${/** @type {Error} */ (error).message}\n${words.failed}`)
  }
  console.error(`${words.done} (${((Date.now() - since) / 1000).toFixed(1)} s)`)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<void>} rejects with the gist of the output
 */
export function run(command, args, options) {
  const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (/** @type {Buffer} */ chunk) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  if (child.pid) noteChild(child.pid)
  const stop = stopper(child)
  for (const signal of SIGNALS) process.on(signal, stop.by)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const name of SIGNALS) process.off(name, stop.by)
      if (stop.asked) process.exit(130)
      code === 0 ? resolve() : reject(new Error(gist(output) || `${command} ended with ${signal ?? code}`))
    })
  })
}

/**
 * Hands a signal on and waits for the child, since npm tidies up and nobody else may touch the packages meanwhile. Whoever
 * asks again does not want to wait; Ctrl-C alone arrives twice, from the terminal and from the npm that runs us.
 * @param {import('node:child_process').ChildProcess} child
 */
function stopper(child) {
  const stop = {
    asked: 0,
    by: (/** @type {NodeJS.Signals} */ signal) => {
      const again = stop.asked > 0 && Date.now() - stop.asked > 1000
      child.kill(again ? 'SIGKILL' : signal)
      stop.asked ||= Date.now()
    },
  }
  return stop
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

// npm names the trouble first and tools name it last; what is left out in the middle is advice and traces.
/** @param {string} output */
function gist(output) {
  const lines = output.split('\n').filter(line => !/^(npm (error|warn))?\s*$/.test(line))
  return lines.length <= 25
    ? lines.join('\n')
    : [...lines.slice(0, 12), '...', ...lines.slice(-12)].join('\n')
}
