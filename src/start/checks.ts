import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Queryable } from '../db/base/pool.ts'
import { markSandbox, readSandbox } from '../db/base/sandbox.ts'
import { mustBeMigrated, readFit } from '../db/base/schema-version.ts'
import { hasCluster } from '../db/embedded/index.ts'
import { StartError } from '../lib/start-error.ts'

/**
 * A sandbox gives everyone on the machine its emails and its clock, so it runs only on a database that was created as one; and such a
 * database serves nothing else.
 */
export async function checkSandbox(db: Queryable, isWanted: boolean, mayMark: boolean) {
  const { isSandbox, isNew } = await readSandbox(db)
  if (isWanted === isSandbox) return
  if (isSandbox) throw new StartError('This database is a sandbox. Set SANDBOX=1, or use another database.')
  if (!isNew || !mayMark)
    throw new StartError(
      'SANDBOX=1 works only on a database that was created with it. Use an empty database, or run holdfast sandbox.',
    )
  await markSandbox(db)
}

/** A typo in a folder name must not create a second, empty database: only commands meant to create one do. */
export function refuseMissingDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) {
  const folder = resolve(dataDir)
  if (databaseUrl || hasCluster(join(folder, 'postgres'))) return
  throw new StartError(
    `There is no database in ${folder}. Set DATABASE_URL, or DATA_DIR to the folder that holdfast serve uses. The systemd unit reads its settings from /etc/holdfast.env; to run a command with them: systemd-run --pipe --wait -p EnvironmentFile=/etc/holdfast.env holdfast <command>. A new database is created by holdfast serve.`,
  )
}

const againMs = 500

type Waiting = { log: (line: string) => void; waitSeconds: number }

/** A worker often starts beside the service that migrates, so it waits before it refuses. */
export async function untilMigrated(pool: pg.Pool, { log, waitSeconds }: Waiting) {
  const until = performance.now() + waitSeconds * 1000
  for (let tries = 1; (await readFit(pool)).kind === 'behind' && performance.now() < until; tries++) {
    if (tries === 1) log(`Waiting for the migrations of this version, for up to ${waitSeconds} seconds.`)
    await pause(againMs)
  }
  await mustBeMigrated(pool)
}
