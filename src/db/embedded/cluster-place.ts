import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '../../lib/hash.ts'
import { type Binaries, copyBinaries, packagedBinaries, runsAs } from './binaries.ts'
import { explainFolder } from './folder-error.ts'
import { canEnter, databaseUser, isRoot, type SystemUser } from './system-user.ts'

export type ClusterPlace = {
  /** The folder of the cluster, with all links resolved. */
  cluster: string
  binaries: Binaries
  /** The user PostgreSQL runs as; null for our own. */
  user: SystemUser | null
  /**
   * PostgreSQL's log. It is in the data folder, where the database user cannot plant a link for root to
   * follow.
   */
  log: string
}

const SYSTEM_FOLDER = '/var/lib/holdfast'

/** Decides where the data and the binaries are, and which user runs them. */
export async function choosePlace(dataDir: string, log: (line: string) => void): Promise<ClusterPlace> {
  const home = explainFolder(dataDir, () => makeFolder(dataDir))
  const packaged = await packagedBinaries()
  const place = {
    cluster: join(home, 'postgres'),
    binaries: packaged,
    user: null,
    log: join(home, 'postgres.log'),
  }
  return isRoot()
    ? placeForRoot(home, place, log)
    : { ...place, cluster: follow(place.cluster) ?? place.cluster }
}

/**
 * PostgreSQL refuses to run as root, and its own user may not be able to enter this folder (a clone below a
 * 0700 home). In that case data or binaries go to a system folder.
 */
async function placeForRoot(
  home: string,
  place: ClusterPlace,
  log: (line: string) => void,
): Promise<ClusterPlace> {
  const system = join(SYSTEM_FOLDER, shortHash(home))
  const existing = follow(place.cluster)
  const user = databaseUser(existing)
  const cluster =
    existing ?? (allowEntry(user, home) ? place.cluster : linkToSystemFolder(place.cluster, system))
  const binaries = runsAs(user, place.binaries)
    ? place.binaries
    : explainFolder(system, () => copyBinaries(user, place.binaries, makeFolder(system, 0o755)))
  if (cluster !== place.cluster)
    log(`The system user ${user.name} cannot enter ${home}: the database is kept in ${cluster}`)
  if (binaries !== place.binaries) log(`PostgreSQL runs from a copy of its programs in ${binaries.folder}`)
  return { ...place, cluster, binaries, user }
}

/**
 * Whether that user can enter. If the folder is empty and only its own mode is the obstacle (a fresh volume,
 * a temporary folder), it is opened as far as needed; a folder with files is not changed.
 */
function allowEntry(user: SystemUser, home: string): boolean {
  if (canEnter(user, home)) return true
  if (!canEnter(user, dirname(home)) || readdirSync(home).length > 0) return false
  chmodSync(home, 0o711)
  return canEnter(user, home)
}

/** The link shows where the data is, and still works if the clone is moved together with its data. */
function linkToSystemFolder(link: string, system: string): string {
  return explainFolder(system, () => {
    const cluster = join(makeFolder(system, 0o755), 'postgres')
    rmSync(link, { force: true })
    symlinkSync(cluster, link)
    return cluster
  })
}

// The umask limits the mode of mkdir, so the mode of a folder that others must enter is set afterwards.
function makeFolder(path: string, mode?: number): string {
  makeFolders(path)
  if (mode) for (const folder of [SYSTEM_FOLDER, path]) chmodSync(folder, mode)
  return realpathSync(path)
}

export function follow(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

export function shortHash(text: string): string {
  return sha256(text).toString('hex').slice(0, 12)
}

/**
 * Creates the folder and its parents. Node's recursive mkdir loops forever where the system reports a missing
 * path although the parent exists, as below /proc.
 */
export function makeFolders(path: string): void {
  if (!existsSync(path) && dirname(path) !== path) makeFolders(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if (!existsSync(path)) throw error
    // Accepts an existing folder; throws if the path is something else.
    mkdirSync(path, { recursive: true })
  }
}
