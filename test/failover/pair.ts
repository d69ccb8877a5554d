// A primary and a synchronous standby, both out of the packages. The standby begins as a copy of the primary at rest.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { ensureCluster } from '../../src/db/embedded/cluster.ts'
import { choosePlace, type Place } from '../../src/db/embedded/place.ts'
import { untilReady } from '../../src/db/embedded/ready.ts'
import { chooseSocketFolder, removeSocketFolder, SUPERUSER } from '../../src/db/embedded/socket.ts'
import { spawnPostgres } from '../../src/db/embedded/spawn.ts'
import { freePort } from '../support/process.ts'
import { eventually } from '../support/service.ts'

export type Pair = {
  /** Both hosts, as an operator writes them. */
  url: string
  /** As `kill -9` of all that runs on that machine. */
  killPrimary(): void
  /** Until then the standby can only be read. */
  promote(): Promise<void>
}

const log = () => {}

export async function startPair(): Promise<Pair> {
  const [first, second] = [await newPlace(), await newPlace()]
  await ensureCluster(first, { sync: false, log })
  cpSync(first.cluster, second.cluster, { recursive: true, preserveTimestamps: true })
  writeFileSync(join(second.cluster, 'standby.signal'), '')
  // Where root has copied it, it is handed over to PostgreSQL's user.
  await ensureCluster(second, { sync: false, log })

  const primary = await start(first, { synchronous_standby_names: 'standby' })
  const from = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} application_name=standby`
  const standby = await start(second, { primary_conninfo: from })
  await eventually(async () => {
    const [link] = await ask(primary.port, 'select sync_state from pg_stat_replication')
    return link?.sync_state === 'sync'
  }, 30)
  await ask(primary.port, 'create database holdfast')
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  return {
    url: `postgres://${SUPERUSER}@${hosts}/holdfast?target_session_attrs=read-write`,
    killPrimary: primary.kill,
    promote: async () => void (await ask(standby.port, 'select pg_promote(true, 30)')),
  }
}

async function newPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-failover-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return choosePlace(folder, log)
}

async function start(place: Place, settings: Record<string, string>) {
  const port = Number(await freePort())
  const host = chooseSocketFolder(place)
  const { pid, ended } = spawnPostgres(
    place,
    { host, port, user: SUPERUSER },
    { listen_addresses: '127.0.0.1', ...settings },
  )
  // A group of its own: postmaster and all that it has started.
  const kill = () => process.kill(-pid, 'SIGKILL')
  onTestFinished(async () => {
    try {
      kill()
    } catch {}
    await ended
    rmSync(join(host, `.s.PGSQL.${port}`), { force: true })
    rmSync(join(host, `.s.PGSQL.${port}.lock`), { force: true })
    removeSocketFolder(host)
  })
  if (!(await untilReady({ host: '127.0.0.1', port, user: SUPERUSER }, { ended, log })))
    throw new Error(`PostgreSQL did not start: ${await ended}`)
  return { port, kill }
}

async function ask(port: number, statement: string) {
  const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
