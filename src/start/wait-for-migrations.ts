import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { mustBeMigrated, readFit } from '../db/base/schema-version.ts'

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
