// A real PgBouncer in front of the PostgreSQL of the tests.

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { freePort } from './process.ts'
import { startProxy } from './proxy.ts'

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

/** The address of the database behind it. */
export async function startPgBouncer(database: pg.PoolConfig, mode: 'session' | 'transaction') {
  const { connection } = await startProxy(database)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${connection.port} user=${database.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  )
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const child = spawn('pgbouncer', [file], { stdio: 'ignore', ...identity })
  const exit = new Promise(resolve => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGINT')
    await exit
    rmSync(folder, { recursive: true })
  })
  return `postgres://${database.user}@127.0.0.1:${port}/${database.database}`
}
