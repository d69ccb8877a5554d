import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { hasCluster } from '../db/embedded/index.ts'
import { StartError } from '../lib/start-error.ts'

/** A typo in a folder name must not create a second, empty database: only commands meant to create one do. */
export function refuseMissingDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) {
  const folder = resolve(dataDir)
  if (databaseUrl || hasCluster(join(folder, 'postgres'))) return
  throw new StartError(
    `There is no database in ${folder}. Set DATABASE_URL, or DATA_DIR to the folder that holdfast serve uses. The systemd unit reads its settings from /etc/holdfast.env; to run a command with them: systemd-run --pipe --wait -p EnvironmentFile=/etc/holdfast.env holdfast <command>. A new database is created by holdfast serve.`,
  )
}
