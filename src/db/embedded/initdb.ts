import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../../lib/start-error.ts'
import { program } from './binaries.ts'
import type { ClusterPlace } from './cluster-place.ts'
import { diskFull, explainFolder } from './folder-error.ts'
import { exists, initdbIn, signal } from './processes.ts'
import { programEnvironment, SUPERUSER } from './socket.ts'
import { runAs } from './system-user.ts'

/**
 * initdb works in a folder beside the final one, which is renamed when complete, so a killed process never
 * leaves half a cluster.
 */
export async function createCluster(
  place: ClusterPlace,
  { sync, log }: { sync: boolean; log: (line: string) => void },
): Promise<void> {
  log(`Creating a database in ${place.cluster}`)
  const draft = `${place.cluster}.init-${process.pid}`
  for (const old of abandonedDrafts(place.cluster)) await discard(old)
  explainFolder(dirname(place.cluster), () => makeDraft(place, draft))
  try {
    await initdb(place, draft, sync)
    explainFolder(place.cluster, () => putInPlace(draft, place.cluster))
  } finally {
    await discard(draft)
  }
}

function makeDraft({ user }: ClusterPlace, draft: string): void {
  mkdirSync(draft, { mode: 0o700 })
  if (user) chownSync(draft, user.uid, user.gid)
}

// An initdb that outlived its parent may still write here. Until its process has ended, files can reappear in
// the emptied folder, so removal is retried.
async function discard(draft: string): Promise<void> {
  for (let tries = 0; tries < 20 && existsSync(draft); tries++) {
    for (const pid of initdbIn(draft)) signal(pid, 'SIGKILL')
    try {
      rmSync(draft, { recursive: true, force: true })
    } catch {
      await pause(50)
    }
  }
}

// A draft whose process still runs belongs to another instance; after an hour the pid may have been reused.
function abandonedDrafts(cluster: string): string[] {
  const prefix = `${basename(cluster)}.init-`
  return readdirSync(dirname(cluster))
    .filter(name => name.startsWith(prefix))
    .map(name => ({ path: join(dirname(cluster), name), maker: Number(name.slice(prefix.length)) }))
    .filter(({ path, maker }) => maker === process.pid || !exists(maker) || isOld(path))
    .map(({ path }) => path)
}

const isOld = (path: string) =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 3_600_000

// Trust authentication is enough, because only our user can enter the socket folder. PostgreSQL's builtin
// locale keeps index order stable across operating system updates.
async function initdb(place: ClusterPlace, folder: string, sync: boolean): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--auth=trust', `--username=${SUPERUSER}`]
  const safety = ['--data-checksums', ...(sync ? [] : ['--no-sync'])]
  const args = ['-D', folder, '--no-instructions', ...locale, ...access, ...safety]
  const child = spawn(program(place.binaries, 'initdb'), args, {
    ...runAs(place.user),
    cwd: '/',
    env: programEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const complaint = text(child.stderr)
  const [code, killer] = await once(child, 'exit').catch(error => [error.message])
  if (code !== 0) throw initdbFailed(place, (await complaint).trim() || `initdb: ${killer ?? code}`)
}

// Renaming onto a folder works only if that is empty. Otherwise another instance was faster, and its cluster
// is used.
function putInPlace(draft: string, cluster: string): void {
  try {
    renameSync(draft, cluster)
  } catch (error) {
    if (versionOf(cluster) === null) throw error
  }
  const parent = openSync(dirname(cluster), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

export function versionOf(cluster: string): string | null {
  try {
    return readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  } catch {
    return null
  }
}

function initdbFailed({ cluster }: ClusterPlace, complaint: string): StartError {
  if (complaint.includes('No space left on device')) return diskFull(cluster)
  const lines = complaint.split('\n')
  const reason = lines.find(line => /error|fatal/i.test(line)) ?? lines[0]
  return new StartError(
    `PostgreSQL could not create a database in ${cluster} (${reason}): mend that, or set DATABASE_URL.`,
  )
}
