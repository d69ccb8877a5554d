// A primary and a synchronous standby from the npm packages. The standby starts as a copy of the stopped
// primary.

import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureCluster } from '../../src/db/embedded/cluster.ts'
import { SUPERUSER } from '../../src/db/embedded/socket.ts'
import { askPostgres as ask, newPlace, startPostgres } from '../support/postgres.ts'
import { eventually } from '../support/service.ts'

export type Pair = {
  /** Both hosts, as in an operator's DATABASE_URL. */
  url: string
  /** Ports of the first primary and its standby. */
  ports: [number, number]
  killStandby(): void
  /** Like `kill -9` of everything on that machine. */
  killPrimary(): void
  /** Until then the standby is read-only. */
  promote(): Promise<void>
}

export async function startPair({ synchronous = true } = {}): Promise<Pair> {
  const [first, second] = [await newPlace(), await newPlace()]
  await ensureCluster(first, { sync: false, log: () => {} })
  cpSync(first.cluster, second.cluster, { recursive: true, preserveTimestamps: true })
  writeFileSync(join(second.cluster, 'standby.signal'), '')
  // A copy made by root is given to the PostgreSQL user.
  await ensureCluster(second, { sync: false, log: () => {} })

  const primary = await startPostgres(first, {
    synchronous_standby_names: synchronous ? 'standby' : '',
  })
  const from = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} application_name=standby`
  const standby = await startPostgres(second, { primary_conninfo: from })
  await eventually(async () => {
    const [link] = await ask(primary.port, 'select sync_state from pg_stat_replication')
    return link?.sync_state === (synchronous ? 'sync' : 'async')
  }, 30)
  await ask(primary.port, 'create database holdfast')
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  return {
    ports: [primary.port, standby.port],
    killStandby: standby.kill,
    url: `postgres://${SUPERUSER}@${hosts}/holdfast?target_session_attrs=read-write`,
    killPrimary: primary.kill,
    promote: async () => void (await ask(standby.port, 'select pg_promote(true, 30)')),
  }
}
