import { type Config, misspelledSettings } from '../config.ts'
import type { Connection } from '../db/base/pool.ts'
import { StartError } from '../lib/start-error.ts'
import { makeLog } from '../lib/watch/log.ts'
import type { Service } from '../service.ts'
import { Announcer } from './announce.ts'
import { type Command, stopSeconds, stopWithin, untilSignal } from './command.ts'

export const workerCommand: Command = {
  name: 'worker',
  summary: 'Runs jobs only (emails, reminders, cleanup), beside the processes that answer requests.',
  settings: ['workerPort', 'databaseUrl', 'dataDir', 'smtpUrl', 'logLevel', 'logFormat'],
  async run({ config }) {
    if (config.sandbox) throw new StartError('A sandbox has one clock: its jobs run in holdfast serve.')
    const { checkSecretOf, joinService } = await import('../start/open-service.ts')
    const { untilMigrated } = await import('../start/checks.ts')
    const { reachDatabase } = await import('../start/connect-database.ts')
    const { startWorker } = await import('../start/worker.ts')
    const { startTracing } = await import('../start/tracing.ts')
    const stopped = untilSignal()
    const announcer = new Announcer(config)
    const { say } = announcer
    for (const line of misspelledSettings(process.env)) say(line, 'warn')
    const connection = await findRunningDatabase(config)
    const service = await joinService(config, connection)
    try {
      const waitSeconds = config.databaseWaitSeconds
      await reachDatabase(service.db, config, { log: say, waitSeconds, mustWrite: true })
      await untilMigrated(service.db.pool, { log: say, waitSeconds })
      await checkSecretOf(config, service.db)
      const tracing = await startTracing(config)
      const watch = await openWatch(service)
      const log = makeLog(config)
      const worker = startWorker(service, connection, log)
      const stopProbing = service.writeProbe.start(service.outages.database, log)
      announcer.started(
        watch
          ? `Holdfast is running jobs; health checks at ${watch.address}/readyz`
          : 'Holdfast is running jobs.',
      )
      await stopped
      say('Stopping: finishing running jobs.')
      stopProbing()
      service.health.isDraining = true
      await stopWithin(worker.stop(), config.stopSeconds + stopSeconds)
      await watch?.app.close()
      await tracing?.stop()
    } finally {
      await service.db.close()
    }
    say('Stopped.')
  },
}

/** Health checks for process monitors. */
async function openWatch(service: Service) {
  const { workerPort: port, host } = service.config
  if (port === null) return null
  const { buildWatch } = await import('../app.ts')
  const { listen } = await import('../start/serve.ts')
  const app = buildWatch(service)
  return { app, address: await listen(app, { host, port }) }
}

/** Joins the database of a running service. A database of its own would contain no jobs. */
async function findRunningDatabase(config: Config): Promise<Connection> {
  const { limitsOf } = await import('../start/open-service.ts')
  const { dataDir } = config
  if (config.databaseUrl) return { connectionString: config.databaseUrl, limits: limitsOf(config) }
  const { refuseMissingDatabase } = await import('../start/checks.ts')
  refuseMissingDatabase(config)
  const { runningOn } = await import('../db/embedded/index.ts')
  const running = runningOn(dataDir)
  if (!running)
    throw new StartError(
      `No service is running on DATA_DIR ${dataDir}. Start holdfast serve first, or set DATABASE_URL.`,
    )
  return { ...running.connection, database: 'holdfast', limits: limitsOf(config) }
}
