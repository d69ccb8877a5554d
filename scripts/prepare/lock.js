// @ts-check
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure, root } from './root.js'

const lock = join(root, 'dist', '.preparing')
const SIGN_OF_LIFE_MS = 1000
const DEAD_AFTER_MS = 120_000

/**
 * One process at a time prepares this folder.
 * @param {() => Promise<void>} work
 */
export async function locked(work) {
  await take()
  const pulse = setInterval(() => utimesSync(lock, new Date(), new Date()), SIGN_OF_LIFE_MS)
  process.once('exit', release)
  try {
    await work()
  } finally {
    clearInterval(pulse)
    process.off('exit', release)
    release()
  }
}

async function take() {
  for (let waiting = false; !tryToTake(); waiting = true) {
    if (!waiting) console.error('Another command is preparing this folder, waiting for it ...')
    await pause(200)
  }
}

function tryToTake() {
  removeStale()
  try {
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'EEXIST') return false
    throw new Failure(
      `${root} cannot be written (${code}): packages or web pages are out of date, so run this once as the user who owns the folder.`,
    )
  }
}

/**
 * A child that outlives us, because we were killed, still works in this folder: the lock holds as long as one of us lives.
 * @param {number} pid
 */
export function noteChild(pid) {
  appendFileSync(lock, `\n${pid}`)
}

// All holders are gone; or their numbers belong to other processes by now, for the signs of life have ended.
function removeStale() {
  try {
    const silence = Date.now() - statSync(lock).mtimeMs
    const holders = readFileSync(lock, 'utf8').split('\n').map(Number)
    if (silence > DEAD_AFTER_MS || (holders[0] && !holders.some(isAlive))) release()
  } catch {
    // There is no lock.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

function release() {
  rmSync(lock, { force: true })
}
