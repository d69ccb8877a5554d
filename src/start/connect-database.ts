import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Db } from '../db/base/pool.ts'
import { isConnectionLoss } from '../db/base/postgres-errors.ts'
import { readServer } from '../db/base/readiness.ts'
import { StartError } from '../lib/start-error.ts'

const oldestPostgres = 15
const againMs = 500

/** Waits for a database that is starting or failing over. Throws immediately if waiting cannot help. */
export async function reachDatabase(
  db: Db,
  config: Config,
  { log, waitSeconds, mustWrite }: { log: (line: string) => void; waitSeconds: number; mustWrite: boolean },
) {
  const until = performance.now() + waitSeconds * 1000
  for (let tries = 1; ; tries++) {
    const trouble = await troubleWith(db, mustWrite)
    if (!trouble) return
    if (!trouble.mayPass || performance.now() > until) throw new StartError(sentence(config, trouble.reason))
    if (tries === 1)
      log(`Waiting for ${addressOf(config)}, for up to ${waitSeconds} seconds: ${trouble.reason}`)
    await pause(againMs)
  }
}

type Trouble = { reason: string; mayPass: boolean }

async function troubleWith(db: Db, mustWrite: boolean): Promise<Trouble | null> {
  try {
    const { version, isReadOnly } = await readServer(db)
    if (version < oldestPostgres * 10_000)
      return {
        reason: `PostgreSQL ${Math.floor(version / 10_000)} is too old. Use PostgreSQL ${oldestPostgres} or newer.`,
        mayPass: false,
      }
    if (isReadOnly && mustWrite)
      return {
        reason:
          'it is read-only and may be a standby. Use the address of the primary, or list all hosts and add target_session_attrs=read-write.',
        mayPass: true,
      }
    return null
  } catch (error) {
    return {
      reason: `${reasonOf(error)}. Check DATABASE_URL and that the database is running.`,
      mayPass: isConnectionLoss(error),
    }
  }
}

const sentence = (config: Config, reason: string) => `Cannot use ${addressOf(config)}: ${reason}`

const addressOf = ({ databaseUrl }: Config) =>
  databaseUrl ? withoutPassword(databaseUrl) : 'the embedded PostgreSQL'

function reasonOf(error: unknown) {
  const { message, code } = error as Error & { code?: string }
  if (code === 'ERR_INVALID_URL')
    return 'this is not a valid address. In a password, write / as %2F, ? as %3F, # as %23 and @ as %40'
  return message || code || 'no response'
}

/** A password can contain @, so it ends at the last one; it can also be a parameter. */
export function withoutPassword(url: string) {
  return url.replace(/^(\w+:\/\/[^:/@]+):.*@/s, '$1:***@').replace(/([?&]password=)[^&]*/i, '$1***')
}
