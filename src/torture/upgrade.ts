import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { closePool, noLimits, openPool } from '../db/base/driver/connection.ts'
import { migrate } from '../db/base/migrate.ts'
import { ourMigrations, readMigrations } from '../db/base/migrations.ts'
import { type EmbeddedPostgres, ensureDatabase, startEmbedded } from '../db/embedded/index.ts'
import { packagePath } from '../lib/root.ts'
import { StartError } from '../lib/start-error.ts'
import { type Balancer, openBalancer } from './balancer.ts'
import { freePort, launch, ourProgram, settings, untilReady } from './instance.ts'
import type { ServiceUnderTest } from './service-under-test.ts'

// A rolling update while clients book, as docs/upgrade.md describes it: two instances of the previous version
// on one database, `holdfast migrate` of this version, then one instance after the other is replaced. Clients
// must not notice.

type Options = { dataDir: string; smtpUrl: string; from: string; log: (line: string) => void }

type Instance = { port: number; child: ChildProcess }

export async function startUpgrade({ dataDir, smtpUrl, from, log }: Options): Promise<ServiceUnderTest> {
  const previous = await programOf(from)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const running = new Set<Instance>()
  let embedded: EmbeddedPostgres | null = null
  let balancer: Balancer | null = null
  let crashes = 0

  async function begin(main: string): Promise<Instance> {
    const own = await freePort()
    const env = {
      ...settings(own, smtpUrl),
      ...databaseOf(embedded!),
      BASE_URL: origin,
      DRAIN_SECONDS: '2',
      // Long enough that none expires: up to 0.4.0 a move could be lost beside an expired hold.
      HOLD_SECONDS: '600',
      LOG_LEVEL: 'error',
    }
    const instance = { port: own, child: launch(main, ['serve'], env) }
    running.add(instance)
    let output = ''
    instance.child.stderr!.on('data', chunk => (output += chunk))
    const lines = createInterface({ input: instance.child.stdout! })
    lines.on('line', line => isErrorLine(line) && log(`  ${line.slice(0, 1_000)}`))
    instance.child.once('exit', code => {
      if (!running.delete(instance)) return
      crashes++
      log(`An instance crashed (${code}): ${output.slice(-500)}`)
    })
    await Promise.race([
      untilReady(`http://127.0.0.1:${own}`),
      once(instance.child, 'exit').then(() => {
        throw new Error(`An instance of ${main} did not start: ${output.slice(-500)}`)
      }),
    ])
    balancer!.add(own)
    return instance
  }

  async function end(instance: Instance) {
    running.delete(instance)
    const ended = once(instance.child, 'exit')
    instance.child.kill('SIGTERM')
    await ended
    balancer!.remove(instance.port)
  }

  async function stop() {
    await Promise.all([...running].map(end))
    balancer?.close()
    await embedded?.stop()
  }

  try {
    embedded = await startEmbedded({ dataDir, log: () => {} })
    await ensureDatabase(embedded.connection, database)
    balancer = await openBalancer(port)
    const old = [await begin(previous.main), await begin(previous.main)]
    log('Two instances of the previous version are running.')
    return {
      origin,
      kill: () => {},
      crashes: () => crashes,
      stop,
      async meanwhile(seconds) {
        const part = (seconds * 1000) / 5
        await pause(part)
        log(
          `Migrated while they run: ${(await migrateFurther(embedded!, dataDir, previous.newest)).join(', ')}.`,
        )
        for (const one of old) {
          await pause(part)
          await begin(ourProgram)
          await end(one)
          log('Replaced an instance of the previous version.')
        }
        await pause(part)
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Startup output has a lower level. */
const isErrorLine = (line: string) => /^{"level":([56]0|"error"|"fatal")/.test(line)

/** Returns the program in that folder if its database can be migrated: both must have the same baseline. */
async function programOf(folder: string): Promise<{ main: string; newest: number }> {
  const main = join(resolve(folder), 'bin', 'holdfast.js')
  if (!existsSync(main))
    throw new StartError(
      `${folder} does not contain Holdfast. Pass the folder of a clone or an installed package.`,
    )
  const theirs = await readMigrations(pathToFileURL(`${resolve(folder)}/migrations/`))
  const mine = new Map((await ourMigrations()).map(one => [one.number, one.checksum]))
  const other = theirs.find(one => mine.get(one.number) !== one.checksum)
  if (other)
    throw new StartError(
      `Migration ${other.name} of ${folder} differs from this version: it cannot be upgraded.`,
    )
  return { main, newest: theirs.at(-1)!.number }
}

/**
 * Migrates to this version and one harmless step further, so that the previous version also runs beside a
 * newer schema when this version has no migrations.
 */
async function migrateFurther(
  embedded: EmbeddedPostgres,
  dataDir: string,
  worksFrom: number,
): Promise<string[]> {
  const folder = join(dataDir, 'migrations')
  mkdirSync(folder)
  cpSync(packagePath('migrations/'), folder, { recursive: true })
  const newest = (await ourMigrations()).at(-1)!.number
  writeFileSync(
    join(folder, `${String(newest + 1).padStart(4, '0')}_a_step_further.sql`),
    `-- works from ${worksFrom}\nalter table mail add column a_step_further text;\ncreate table a_step_further (id bigint primary key);\n`,
  )
  const pool = openPool({ ...embedded.connection, database }, { max: 4, limits: noLimits })
  try {
    return (await migrate(pool, { folder: pathToFileURL(`${folder}/`) })).applied
  } finally {
    await closePool(pool)
  }
}

const database = 'holdfast'

function databaseOf({ connection: { host, port, user } }: EmbeddedPostgres) {
  const DATABASE_URL = `postgres://${user}@/${database}?host=${host}&port=${port}`
  return { DATABASE_URL, SECRET_KEY: 'torture'.repeat(6) }
}
