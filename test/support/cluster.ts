// Runs once before all tests: one real PostgreSQL, one migrated database that each test file clones, and the program in
// one file for tests that start it as a process.

import { mkdtempSync, statfsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/base/migrate.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { ensureDatabase, startEmbedded } from '../../src/db/embedded/index.ts'
import { bundleProgram } from './bundle.ts'

export const template = 'holdfast_template'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string }
    /** The file to start the program with. */
    program: string
  }
}

// Each test file creates and deletes hundreds of files with its database. On ext4 that took a fifth of the CPU time of all tests.
const memory = '/dev/shm'

function isRoomy(folder: string) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 4 * 1024 ** 3
  } catch {
    return false
  }
}

export default async function setup(project: TestProject) {
  const bundling = bundleProgram()
  const dataDir = mkdtempSync(join(isRoomy(memory) ? memory : tmpdir(), 'holdfast-test-'))
  const speedOverSafety = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_compression: 'off',
    max_wal_size: '128MB',
  }
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings: speedOverSafety })
  await ensureDatabase(embedded.connection, template)
  const db = openDb({ ...embedded.connection, database: template })
  await migrate(db.pool)
  await db.close()
  project.provide('postgres', embedded.connection)
  const program = await bundling
  project.provide('program', program.file)
  return async () => {
    // A stop that hangs must not keep the results of all tests from being reported.
    await Promise.race([embedded.stop(), pause(20_000, undefined, { ref: false })])
    await program.remove()
    await rm(embedded.where.data, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  }
}
