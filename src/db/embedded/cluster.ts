import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, type Stats, statSync } from 'node:fs'
import { StartError } from '../../lib/start-error.ts'
import { majorVersion } from './binaries.ts'
import type { ClusterPlace } from './cluster-place.ts'
import { explainFolder } from './folder-error.ts'
import { createCluster, versionOf } from './initdb.ts'
import { isRoot } from './system-user.ts'

/** Creates the cluster if there is none, and ensures that PostgreSQL accepts an existing one. */
export async function ensureCluster(
  place: ClusterPlace,
  options: { sync: boolean; log: (line: string) => void },
): Promise<void> {
  const found = statSync(place.cluster, { throwIfNoEntry: false })
  if (!found || isEmpty(place.cluster, found)) return createCluster(place, options)
  explainFolder(place.cluster, () => ensureOwner(place, found))
  ensureVersion(place)
}

// A folder that cannot be read belongs to another user and counts as not empty.
function isEmpty(folder: string, { uid }: Stats): boolean {
  if (!isRoot() && uid !== process.getuid?.()) return false
  return explainFolder(folder, () => readdirSync(folder).length === 0)
}

/**
 * PostgreSQL requires that only its own user can access the folder; copies and restored backups often lose
 * that.
 */
function ensureOwner({ cluster, user }: ClusterPlace, { uid, mode }: Stats): void {
  if (uid !== (user?.uid ?? process.getuid?.())) {
    if (!user) throw belongsToAnother(cluster, uid)
    spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, cluster])
  }
  if ((mode & 0o027) !== 0) chmodSync(cluster, 0o700)
}

function ensureVersion({ cluster, binaries }: ClusterPlace): void {
  const version = versionOf(cluster)
  if (version === null) throw notADatabase(cluster)
  if (version !== majorVersion(binaries)) throw wrongVersion(cluster, version)
}

function belongsToAnother(cluster: string, uid: number): StartError {
  return new StartError(
    `The database in ${cluster} belongs to another user (uid ${uid}): start as that user or as root, or choose another folder with DATA_DIR.`,
  )
}

function notADatabase(cluster: string): StartError {
  return new StartError(
    `${cluster} holds files that are not a PostgreSQL database: move them away, or choose another folder with DATA_DIR.`,
  )
}

function wrongVersion(cluster: string, version: string): StartError {
  return new StartError(
    `The database in ${cluster} was made by PostgreSQL ${version}, which is not the one of this Holdfast: use the Holdfast that made it, or choose another folder with DATA_DIR.`,
  )
}
