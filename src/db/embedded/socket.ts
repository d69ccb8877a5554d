import { chownSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type ClusterPlace, shortHash } from './cluster-place.ts'
import { explainFolder } from './folder-error.ts'
import type { SystemUser } from './system-user.ts'

export type SocketConnection = { host: string; port: number; user: string }

export const SUPERUSER = 'holdfast'

/** Only part of the socket's name: PostgreSQL does not listen on the network. */
export const PORT = 5432

const PREFIX = 'holdfast-'

// The path of a socket has at most 103 bytes on macOS and 107 on Linux, and data folders can be deep, so it
// is in the temporary folder, under the same name at each start.
export function chooseSocketFolder({ cluster, user }: ClusterPlace): string {
  const parent = isFit(tmpdir()) ? tmpdir() : '/tmp'
  const folder = join(parent, PREFIX + shortHash(cluster))
  return explainFolder(parent, () => {
    if (prepareSocketFolder(folder, user)) return folder
    // Any user may create folders there. One that is not exclusively ours was created by another user and is
    // not used.
    const other = mkdtempSync(join(parent, PREFIX))
    prepareSocketFolder(other, user)
    return other
  })
}

/** Creates the folder if it is missing. Returns whether it belongs exclusively to PostgreSQL's user. */
export function prepareSocketFolder(folder: string, user: SystemUser | null): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const self = process.getuid?.()
  const owner = user ?? { uid: self, gid: undefined }
  if (!found.isDirectory() || (found.mode & 0o077) !== 0 || ![owner.uid, self].includes(found.uid))
    return false
  if (user && found.uid !== user.uid) chownSync(folder, user.uid, user.gid)
  return true
}

/** Removes an empty folder with one of our names, after PostgreSQL has ended. */
export function removeSocketFolder(folder: string): void {
  if (!basename(folder).startsWith(PREFIX)) return
  try {
    rmdirSync(folder)
  } catch {}
}

// PostgreSQL reads the setting as a list, in which commas, quotes and spaces are special.
function isFit(folder: string): boolean {
  return folder.length < 70 && /^[\w./+-]+$/.test(folder)
}

/** Our environment contains secrets, which PostgreSQL's user must not be able to read. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env
  return { PATH, LC_ALL: 'C', TZ: 'UTC', ...(LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {}) }
}
