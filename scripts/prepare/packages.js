// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './root.js'
import { environmentOutside, run, withProgress } from './run.js'

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Locked */

const modules = join(root, 'node_modules')
const stamp = join(modules, '.holdfast-stamp')

// Checks our OpenAPI document and generates clients from it: for tests only, so it has its own folder.
const clientTools = join(root, 'clients', 'tools')
const clientToolsStamp = join(clientTools, 'node_modules', '.holdfast-stamp')

export function clientToolsAreInstalled() {
  return read(clientToolsStamp) === fingerprint(clientTools)
}

export async function installClientTools() {
  await withProgress(
    {
      doing: 'Installing the tools that check the API document and its clients ...',
      done: 'Tools installed',
      failed: 'The tools could not be installed: fix the errors above and run the command again.',
    },
    () => npm(['ci', '--prefix', clientTools, '--loglevel=error', '--no-audit', '--no-fund']),
  )
  writeFileSync(clientToolsStamp, fingerprint(clientTools))
}

/** @param {boolean} withTools whether development packages count too */
export function packagesAreInstalled(withTools) {
  if (!existsSync(join(modules, '.bin', 'node'))) return false
  return read(stamp) === fingerprint() || installMatchesLock(withTools)
}

export async function installPackages() {
  await withProgress(
    {
      doing: 'Installing the packages, which takes a minute the first time ...',
      done: 'Packages installed',
      failed: 'The packages could not be installed: fix the errors above and run the command again.',
    },
    // NODE_ENV=production would leave out the build tools of the web part.
    () => npm(['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund']),
  )
  writeFileSync(stamp, fingerprint())
}

/** @param {string[]} args */
function npm(args) {
  const env = environmentOutside()
  const cli = process.env.npm_execpath ?? ''
  if (basename(cli) !== 'npm-cli.js') return run('npm', args, { env })
  const node = process.execPath.startsWith(modules) ? 'node' : process.execPath
  return run(node, [cli, ...args], { env })
}

// Includes the platform, because a folder can be copied to another machine, packages and all.
function fingerprint(folder = root) {
  const hash = createHash('sha256').update(read(join(folder, 'package-lock.json')))
  return hash.update(`${process.platform}-${process.arch}`).digest('hex')
}

/**
 * A manual `npm install` is as good as ours: npm keeps a list of installed packages in the format of the lock file.
 * @param {boolean} withTools
 */
function installMatchesLock(withTools) {
  const wanted = packagesIn(join(root, 'package-lock.json'))
  const present = packagesIn(join(modules, '.package-lock.json'))
  return Object.entries(wanted)
    .filter(([path, entry]) => path !== '' && isNeeded(entry, withTools))
    .every(([path, entry]) => present[path]?.version === entry.version)
}

/**
 * @param {Locked} entry
 * @param {boolean} withTools
 */
function isNeeded(entry, withTools) {
  if (!withTools && (entry.dev || entry.devOptional)) return false
  if (!entry.optional && !entry.devOptional) return true
  // Of packages with one variant per platform, ours must be installed.
  return Boolean(entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch) && !entry.libc)
}

/**
 * @param {string} path
 * @returns {Record<string, Locked>}
 */
function packagesIn(path) {
  try {
    return JSON.parse(read(path)).packages ?? {}
  } catch {
    return {}
  }
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
