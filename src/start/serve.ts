import { setTimeout as pause } from 'node:timers/promises'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Connection } from '../db/base/pool.ts'
import { hasLogins } from '../db/setup/console-users.ts'
import { StartError } from '../lib/start-error.ts'
import { isLoopback } from '../rules/people/clients.ts'
import type { Service } from '../service.ts'
import { ensureBootstrap } from './bootstrap.ts'
import { createDemo, isEmpty } from './demo.ts'
import { type InstanceLock, lockInstance } from './instance-lock.ts'
import { openService } from './open-service.ts'
import { startTracing } from './tracing.ts'
import { startWorker } from './worker.ts'

export type Serving = {
  address: string
  service: Service
  /** What to tell the person who started it for the first time. */
  welcome: string | null
  stop(): Promise<void>
}

/** Jobs are run by every process that answers, unless others run them. */
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
  welcome: string | null
  stop(): Promise<void>
}

/** Once for all processes: the database open, ours alone and up to date, with what must be in it. */
export async function prepare(config: Config, log: (line: string) => void): Promise<Prepared> {
  const { service, connection, embedded, close } = await openService(config, { log, migrations: 'apply' })
  let lock: InstanceLock | null = null
  const stop = async () => {
    await lock?.release()
    await close(lock !== null)
  }
  try {
    if (embedded) lock = await lockInstance(connection, config.dataDir)
    const isFirstStart = embedded !== null && wantsDemo(config) && (await isEmpty(service))
    await ensureBootstrap(service)
    const welcome = isFirstStart ? await createDemo(service) : await howToBegin(service)
    return { service, connection, welcome, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The console is of no use until somebody has been let in. */
async function howToBegin({ db, baseUrl }: Service): Promise<string | null> {
  if (await hasLogins(db)) return null
  return `  Console       ${baseUrl}/console: nobody can log in yet. \`npx holdfast user invite <email>\` prints a link.`
}

/** A tenant that everybody knows the names of, for whoever sits at this machine; elsewhere only where it is asked for. */
export const wantsDemo = ({ demo, host }: Pick<Config, 'demo' | 'host'>) =>
  demo ?? (host === 'localhost' || isLoopback(host))

/** HTTP and, if wanted, jobs. stop() ends requests first: the last of them may still queue a mail. */
export async function answer(service: Service, connection: Connection, { jobs }: Running) {
  const tracing = await startTracing(service.config)
  const app = await buildApp(service)
  try {
    const address = await listen(app, service.config)
    const worker = jobs ? startWorker(service, connection, app.log) : null
    const stop = async () => {
      await drain(service)
      await app.close()
      await worker?.stop()
      await tracing?.stop()
    }
    return { address, stop }
  } catch (error) {
    await app.close()
    throw error
  }
}

/**
 * Balancers need a moment to notice that we are no longer ready. Until then whoever still comes is answered, and asked to
 * take another connection next time.
 */
async function drain({ health, config }: Service) {
  health.isDraining = true
  await pause(drainSeconds(config) * 1000)
}

/** There is no balancer in front of somebody's laptop. */
export const drainSeconds = ({ drainSeconds, databaseUrl }: Pick<Config, 'drainSeconds' | 'databaseUrl'>) =>
  drainSeconds ?? (databaseUrl ? 5 : 0)

export async function listen(
  app: Awaited<ReturnType<typeof buildApp>>,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} is taken by another program. Stop it, or choose another with PORT=8081.`,
      )
    if (code === 'EACCES')
      throw new StartError(`Port ${port} needs more rights. Choose one above 1023 with PORT.`)
    throw new StartError(`Cannot listen on ${host}:${port}: ${message}. Check HOST and PORT.`)
  }
  const at = app.server.address()
  return `http://localhost:${typeof at === 'object' ? at?.port : port}`
}
