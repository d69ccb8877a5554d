// @ts-check
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure, root } from './root.js'

const lock = join(root, 'dist', '.preparing')
const HEARTBEAT_MS = 1000
const STALE_AFTER_MS = 120_000

/**
 * One process at a time prepares this folder.
 * @param {() => Promise<void>} work
 */
export async function locked(work) {
  await take()
  const heartbeat = setInterval(() => utimesSync(lock, new Date(), new Date()), HEARTBEAT_MS)
  process.once('exit', release)
  try {
    await work()
  } finally {
    clearInterval(heartbeat)
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
 * If we are killed, our child keeps working in this folder, so the lock lasts as long as either process.
 * @param {number} pid
 */
export function recordChild(pid) {
  appendFileSync(lock, `\n${pid}`)
}

// All holders have exited; or there is no heartbeat, so their process ids may belong to others by now.
function removeStale() {
  try {
    const silence = Date.now() - statSync(lock).mtimeMs
    const holders = readFileSync(lock, 'utf8').split('\n').map(Number)
    if (silence > STALE_AFTER_MS || (holders[0] && !holders.some(isAlive))) release()
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
