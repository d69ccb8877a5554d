// A separate PostgreSQL from the packages, for tests that need more than a database.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { type ClusterPlace, choosePlace } from '../../src/db/embedded/cluster-place.ts'
import { chooseSocketFolder, removeSocketFolder, SUPERUSER } from '../../src/db/embedded/socket.ts'
import { spawnPostgres } from '../../src/db/embedded/spawn.ts'
import { untilReady } from '../../src/db/embedded/wait-until-ready.ts'
import { freePort } from './process.ts'

const log = () => {}

/** A folder until the test ends. */
export async function newPlace(): Promise<ClusterPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-postgres-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return choosePlace(folder, log)
}

/** One that listens on the network, and is not restarted when it ends. */
export async function startPostgres(
  place: ClusterPlace,
  settings: Record<string, string>,
  usualPort?: number,
) {
  const port = usualPort ?? Number(await freePort())
  const host = chooseSocketFolder(place)
  const { pid, ended } = spawnPostgres(
    place,
    { host, port, user: SUPERUSER },
    { listen_addresses: '127.0.0.1', ...settings },
  )
  // A separate process group: the postmaster and all its children.
  const kill = async () => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {}
    await ended
  }
  onTestFinished(async () => {
    await kill()
    rmSync(join(host, `.s.PGSQL.${port}`), { force: true })
    rmSync(join(host, `.s.PGSQL.${port}.lock`), { force: true })
    removeSocketFolder(host)
  })
  if (!(await untilReady({ host: '127.0.0.1', port, user: SUPERUSER }, { ended, log })))
    throw new Error(`PostgreSQL did not start: ${await ended}`)
  return { port, kill }
}

export async function askPostgres(port: number, statement: string) {
  const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
