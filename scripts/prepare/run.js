// @ts-check
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { recordChild } from './lock.js'
import { Failure, root } from './root.js'

/**
 * Reports the step and its duration on stderr, since stdout belongs to the command that runs afterwards. The
 * tool's own output is shown only if it fails.
 * @param {{ doing: string, done: string, failed: string }} words
 * @param {() => Promise<void>} work
 */
export async function withProgress(words, work) {
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
 * @returns {Promise<void>} rejects with a summary of the output
 */
export function run(command, args, options) {
  const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (/** @type {Buffer} */ chunk) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  if (child.pid) recordChild(child.pid)
  const stop = stopper(child)
  for (const signal of SIGNALS) process.on(signal, stop.by)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const name of SIGNALS) process.off(name, stop.by)
      if (stop.asked) process.exit(130)
      code === 0
        ? resolve()
        : reject(new Error(summarize(output) || `${command} ended with ${signal ?? code}`))
    })
  })
}

/**
 * Forwards a signal and waits for the child: npm cleans up, and no other process may change the packages until
 * then. A second signal kills it, unless it follows at once: a single Ctrl-C arrives twice, from the terminal and
 * from the npm that runs us.
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
 * The environment without our packages' programs: npm puts them first in PATH, and an install replaces the
 * very Node that would be running it.
 */
export function environmentOutside() {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(folder => folder !== join(root, 'node_modules', '.bin'))
  return { ...process.env, PATH: path.join(delimiter) }
}

// npm reports the cause first and other tools report it last; the middle is advice and traces.
/** @param {string} output */
function summarize(output) {
  const lines = output.split('\n').filter(line => !/^(npm (error|warn))?\s*$/.test(line))
  return lines.length <= 25
    ? lines.join('\n')
    : [...lines.slice(0, 12), '...', ...lines.slice(-12)].join('\n')
}
