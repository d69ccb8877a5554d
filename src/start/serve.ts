import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import { type Connection, starvedMs } from '../db/base/pool.ts'
import { hasLogins } from '../db/setup/console-users.ts'
import { StartError } from '../lib/start-error.ts'
import { isLoopback } from '../rules/people/clients.ts'
import type { Service } from '../service.ts'
import { createDemo, isEmpty, operatorLink } from './demo.ts'
import { type InstanceLock, lockInstance } from './instance-lock.ts'
import { ensureBootstrap, openService } from './open-service.ts'
import { startTracing } from './tracing.ts'
import { startWorker } from './worker.ts'

export type Serving = {
  address: string
  service: Service
  /** Lines for the first start. */
  welcome: string[]
  stop(): Promise<void>
  /** Stops the PostgreSQL that this process owns when a normal shutdown takes too long. */
  endDatabase(): Promise<void>
}

/** Every process that answers requests also runs jobs, unless workers do. */
export type Running = { jobs: boolean }

/** Starts everything; stop() lets requests and jobs finish, then closes the database. */
export async function serve(config: Config, log: (line: string) => void, running: Running): Promise<Serving> {
  const prepared = await prepare(config, log)
  try {
    const answering = await answer(prepared.service, prepared.connection, running)
    return { ...prepared, ...answering, stop: () => answering.stop().then(prepared.stop) }
  } catch (error) {
    await prepared.stop()
    throw error
  }
}

export type Prepared = {
  service: Service
  connection: Connection
  welcome: string[]
  stop(): Promise<void>
  endDatabase(): Promise<void>
}

/** Runs once for all processes: opens, locks and migrates the database, and creates the bootstrap data. */
export async function prepare(config: Config, log: (line: string) => void): Promise<Prepared> {
  const { service, connection, embedded, close } = await openService(config, {
    log,
    migrations: 'apply',
    mayCreate: true,
  })
  let lock: InstanceLock | null = null
  const stop = async () => {
    await lock?.release()
    await close(lock !== null)
  }
  try {
    if (embedded) lock = await lockInstance(connection, config.dataDir)
    const isOwn = embedded !== null || config.sandbox
    const isFirstStart = isOwn && (await isEmpty(service))
    await ensureBootstrap(service)
    const welcome =
      isFirstStart && wantsDemo(config) ? await createDemo(service) : await firstLogin(service, isFirstStart)
    const endDatabase = async () => {
      if (lock) await embedded?.stop()
    }
    return { service, connection, welcome, stop, endDatabase }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * How to log in to the console until there is a login. A service that others can reach prints no link: its log is often
 * stored where more people read it.
 */
async function firstLogin(service: Service, isFirstStart: boolean): Promise<string[]> {
  const { config, baseUrl } = service
  if (await hasLogins(service.db)) return []
  if (isFirstStart && isLocal(config)) return [await operatorLink(service)]
  const how = config.databaseUrl ? ' with the settings of this service' : ''
  return [
    `Console       ${baseUrl}/console: there is no login yet. To get a link, run this${how}, for your own email address:`,
    `              ${inviteCommand(config)}`,
  ]
}

/** With the settings of this start. Those of a database on a server are secret, so they are not printed. */
function inviteCommand({ databaseUrl, dataDir, baseUrl, port }: Config): string {
  const command = 'npx holdfast user invite you@example.org'
  if (databaseUrl) return command
  const address = baseUrl ? `BASE_URL=${shellWord(baseUrl)}` : `PORT=${port}`
  return `DATA_DIR=${shellWord(resolve(dataDir))} ${address} ${command}`
}

const shellWord = (text: string) =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The demo tenant has well-known names, so by default it is only created when the service listens on
 * loopback.
 */
export const wantsDemo = ({ demo, ...config }: Pick<Config, 'demo' | 'host'>) => demo ?? isLocal(config)

const isLocal = ({ host }: Pick<Config, 'host'>) => host === 'localhost' || isLoopback(host)

/**
 * HTTP and, if enabled, jobs. stop() ends requests first, because the last of them may still queue an email.
 */
export async function answer(service: Service, connection: Connection, { jobs }: Running) {
  const tracing = await startTracing(service.config)
  const app = await buildApp(service)
  try {
    const address = await listen(app, service.config)
    service.db.jobs.start()
    const worker = jobs ? startWorker(service, connection, app.log) : null
    const stopProbing = service.writeProbe.start(service.outages.database, app.log)
    const finish = async () => {
      await drain(service)
      stopProbing()
      await app.close()
      await worker?.stop()
      await tracing?.stop()
    }
    const stop = async () => {
      await Promise.race([finish(), starvedLongEnough(service)])
    }
    return { address, stop }
  } catch (error) {
    await app.close()
    throw error
  }
}

/**
 * Load balancers need a moment to notice that the service is not ready. Until then, requests are answered
 * with `Connection: close`.
 */
async function drain(service: Service) {
  service.health.isDraining = true
  if (!isStarved(service)) await pause(drainSeconds(service.config) * 1000)
}

/**
 * Without connections nothing can finish, and `/readyz` has reported it for a while, so the shutdown is
 * short.
 */
const isStarved = ({ db }: Service) => db.starvedForMs() >= starvedMs
const starvedPatienceMs = 2_000

/** Also covers a pool that becomes starved while the service is already stopping. */
async function starvedLongEnough(service: Service) {
  while (!isStarved(service)) await pause(250, undefined, { ref: false })
  await pause(starvedPatienceMs, undefined, { ref: false })
}

/** An embedded installation has no load balancer to wait for. */
export const drainSeconds = ({ drainSeconds, databaseUrl }: Pick<Config, 'drainSeconds' | 'databaseUrl'>) =>
  drainSeconds ?? (databaseUrl ? 5 : 0)

export async function listen(
  app: Awaited<ReturnType<typeof buildApp>>,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  const { log } = app
  const { level } = log
  // Fastify logs every address; the greeting has the one that matters.
  if (level !== 'silent') log.level = 'warn'
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is used by another program. Stop it, or choose another port with PORT=8081.`,
      )
    if (code === 'EACCES')
      throw new StartError(`Port ${port} requires more privileges. Choose one above 1023 with PORT.`)
    throw new StartError(`Cannot listen on ${host}:${port}: ${message}. Check HOST and PORT.`)
  } finally {
    log.level = level
  }
  const at = app.server.address()
  return `http://localhost:${typeof at === 'object' ? at?.port : port}`
}
