import pg from 'pg'
import { driverSettings } from '../db/base/driver/connection.ts'
import type { Connection } from '../db/base/pool.ts'
import { StartError } from '../lib/start-error.ts'

export type InstanceLock = { release(): Promise<void> }

const lockNumber = 7_304_115_222
const retryMs = 100

/**
 * Two services on one folder would conflict over PostgreSQL. The lock ends with its connection, so a killed
 * service leaves none behind; after a restart of PostgreSQL it is taken again.
 */
export async function lockInstance(connection: Connection, dataDir: string): Promise<InstanceLock> {
  let released = false
  let client = await connect(connection, onLoss)
  async function onLoss() {
    while (!released) {
      await pause()
      const again = await connect(connection, onLoss).catch(() => null)
      if (!again) continue
      client = again
      await takeLock(client)
      return
    }
  }

  if (!(await takeLock(client))) {
    released = true
    await client.end()
    throw new StartError(
      `Another Holdfast is running on DATA_DIR ${dataDir}. Stop it, or use another folder and port for this one, for example DATA_DIR=./data2 PORT=8081.`,
    )
  }
  return {
    async release() {
      released = true
      await client.end().catch(() => {})
    },
  }
}

async function connect(connection: Connection, onLoss: () => void): Promise<pg.Client> {
  const client = new pg.Client(driverSettings(connection) as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
  client.once('end', onLoss)
  return client
}

/** The connection of a service that was just killed may take a moment to close. */
async function takeLock(client: pg.Client): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      lockNumber,
    ])
    if (rows[0]!.mine) return true
    await pause()
  }
  return false
}

const pause = () => new Promise(resolve => setTimeout(resolve, retryMs))
