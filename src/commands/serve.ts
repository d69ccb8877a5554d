import cluster from 'node:cluster'
import { misspelledSettings } from '../config.ts'
import { readPause } from '../db/base/outgoing-pause.ts'
import type { Service } from '../service.ts'
import type { Serving } from '../start/serve.ts'
import { announce, type Command, countOption, stopSeconds, stopWithin, untilSignal } from './command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the service: HTTP, jobs and, without DATABASE_URL, its own PostgreSQL.',
  options: { processes: { type: 'string' }, 'without-jobs': { type: 'boolean' } },
  help: {
    processes: 'number of processes that share the port, at most one per core (default 1)',
    'without-jobs': 'only answer requests; leave emails, reminders and cleanup to holdfast worker',
  },
  async run({ config, values }) {
    const count = countOption('processes', values.processes ?? 1, 1, 64)
    const running = { jobs: !values['without-jobs'] }
    // Loaded only now, so that other commands and --help do not wait for the whole service.
    const { drainSeconds, serve } = await import('../start/serve.ts')
    const { serveCluster, serveInCluster } = await import('../start/cluster.ts')
    if (cluster.isWorker) return serveInCluster(config, running)
    const stopped = untilSignal()
    for (const line of misspelledSettings(process.env)) announce(line, { level: 'warn' })
    const serving =
      count > 1 ? await serveCluster(config, count, announce) : await serve(config, announce, running)
    greet(serving)
    if (config.smtpUrl && !config.baseUrl)
      announce(
        'SMTP_URL is set but BASE_URL is not: links in emails point to localhost. Set BASE_URL to the public address of the service.',
        { level: 'warn' },
      )
    await announcePause(serving.service)
    await stopped
    announce('Stopping: finishing open requests and jobs.')
    const seconds = drainSeconds(config) + config.stopSeconds + stopSeconds
    await stopWithin(serving.stop(), seconds, serving.endDatabase)
    announce('Stopped.')
  },
}

async function announcePause({ db }: Service) {
  const pause = await readPause(db)
  if (pause)
    announce(`Emails and webhooks are paused (${pause.reason}). To send them: holdfast resume`, {
      level: 'warn',
    })
}

function greet({ service, address, welcome }: Serving) {
  announce(`Holdfast is ready at ${address}`)
  if (welcome) announce(welcome)
  announce(`  API docs      ${service.baseUrl}/docs`)
}
