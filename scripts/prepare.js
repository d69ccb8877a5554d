// @ts-check
// Runs before `npm start` and `npm test`: installs the locked packages and builds the web part, but only if
// needed. Plain JavaScript without packages, because the machine's Node may be old and nothing is installed
// yet.
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildClient, clientIsBuilt } from './prepare/client.js'
import { locked } from './prepare/lock.js'
import {
  clientToolsAreInstalled,
  installClientTools,
  installPackages,
  packagesAreInstalled,
} from './prepare/packages.js'
import { Failure } from './prepare/root.js'
import { buildWeb, webIsBuilt } from './prepare/web.js'

/** @typedef {'start' | 'test' | 'pack'} Purpose */

/** @param {Purpose} purpose */
export async function prepare(purpose) {
  if (isPrepared(purpose)) return
  // Another process may be preparing; by the time we have the lock, it may have done everything.
  await locked(async () => {
    if (!packagesAreInstalled(needsTools(purpose))) await installPackages()
    if (purpose === 'test' && !clientToolsAreInstalled()) await installClientTools()
    if (!webIsBuilt()) await buildWeb()
    if (!clientIsBuilt()) await buildClient()
  })
}

/** @param {Purpose} purpose */
function isPrepared(purpose) {
  if (purpose === 'test' && !clientToolsAreInstalled()) return false
  return webIsBuilt() && clientIsBuilt() && packagesAreInstalled(needsTools(purpose))
}

// A finished build runs on `npm ci --omit=dev`; testing, building and packing need the rest.
/** @param {Purpose} purpose */
function needsTools(purpose) {
  return purpose !== 'start' || !webIsBuilt() || !clientIsBuilt()
}

if (realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  prepare(process.argv[2] === 'test' ? 'test' : 'start').catch(error => {
    console.error(error instanceof Failure ? error.message : error)
    process.exitCode = 1
  })
}
