import type { Config } from '../config.ts'
import type { Connection } from '../db/base/pool.ts'
import { StartError } from '../lib/start-error.ts'
import type { Service } from '../service.ts'
import { announce, type Command, inTime, leavingSeconds, untilSignal } from './command.ts'

export const workerCommand: Command = {
  name: 'worker',
  summary:
    'Runs jobs only: delivers mails and reminders and tidies up, beside the processes that answer requests.',
  async run({ config }) {
    const { joinService } = await import('../start/open-service.ts')
    const { mustBeMigrated } = await import('../db/base/schema-version.ts')
    const { reachDatabase } = await import('../start/reach-database.ts')
    const { startWorker } = await import('../start/worker.ts')
    const { startTracing } = await import('../start/tracing.ts')
    const stopped = untilSignal()
    const connection = await whereToJoin(config)
    const service = await joinService(config, connection)
    try {
      const waitSeconds = config.databaseWaitSeconds
      await reachDatabase(service.db, config, { log: announce, waitSeconds, mustWrite: true })
      await mustBeMigrated(service.db.pool)
      const tracing = await startTracing(config)
      const watch = await openWatch(service)
      const worker = startWorker(service, connection, {
        warn,
        info: (details, message) => announce(message, details),
      })
      announce(
        watch ? `Holdfast is working; its health is at ${watch.address}/readyz` : 'Holdfast is working.',
      )
      await stopped
      announce('Stopping: finishing what is running.')
      service.health.isDraining = true
      await inTime(worker.stop(), config.stopSeconds + leavingSeconds)
      await watch?.app.close()
      await tracing?.stop()
    } finally {
      await service.db.close()
    }
    announce('Stopped.')
  },
}

/** For those who watch over processes. */
async function openWatch(service: Service) {
  const { workerPort: port, host } = service.config
  if (port === null) return null
  const { buildWatch } = await import('../app.ts')
  const { listen } = await import('../start/serve.ts')
  const app = buildWatch(service)
  return { app, address: await listen(app, { host, port }) }
}

/** The database of a running service. One of our own would hold no jobs, and be ours to stop. */
async function whereToJoin(config: Config): Promise<Connection> {
  const { limitsOf } = await import('../start/open-service.ts')
  const { dataDir } = config
  if (config.databaseUrl) return { connectionString: config.databaseUrl, limits: limitsOf(config) }
  const { runningOn } = await import('../db/embedded/index.ts')
  const running = runningOn(dataDir)
  if (!running)
    throw new StartError(
      `No service runs on DATA_DIR ${dataDir}. Start holdfast serve first, or set DATABASE_URL.`,
    )
  return { ...running.connection, database: 'holdfast', limits: limitsOf(config) }
}

function warn(details: { err?: Error } & object, message: string) {
  announce(details.err ? `${message}: ${details.err.message}` : message, { ...details, level: 40 })
}
