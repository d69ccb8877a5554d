import cluster from 'node:cluster'
import { misspelledSettings } from '../config.ts'
import { readPause } from '../db/base/outgoing-pause.ts'
import { StartError } from '../lib/start-error.ts'
import type { Service } from '../service.ts'
import type { Serving } from '../start/serve.ts'
import { Announcer } from './announce.ts'
import { type Command, countOption, stopSeconds, stopWithin, untilSignal } from './command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the service: HTTP, jobs and, without DATABASE_URL, its own PostgreSQL.',
  options: { processes: { type: 'string' }, 'without-jobs': { type: 'boolean' } },
  help: {
    processes: 'number of processes that share the port, at most one per core (default 1)',
    'without-jobs': 'only answer requests; leave emails, reminders and cleanup to holdfast worker',
  },
  settings: ['port', 'host', 'baseUrl', 'databaseUrl', 'dataDir', 'smtpUrl', 'logLevel', 'logFormat'],
  async run({ config, values }) {
    const count = countOption('processes', values.processes ?? 1, 1, 64)
    if (config.sandbox && count > 1)
      throw new StartError('A sandbox has one clock, so it runs in one process.')
    const running = { jobs: !values['without-jobs'] }
    // Loaded only now, so that other commands and --help do not wait for the whole service.
    const { drainSeconds, serve } = await import('../start/serve.ts')
    const { serveCluster, serveInCluster } = await import('../start/cluster.ts')
    if (cluster.isWorker) return serveInCluster(config, running)
    const stopped = untilSignal()
    const announcer = new Announcer(config)
    const { say } = announcer
    for (const line of misspelledSettings(process.env)) say(line, 'warn')
    const serving = count > 1 ? await serveCluster(config, count, say) : await serve(config, say, running)
    for (const line of await warnings(serving.service)) say(line, 'warn')
    greet(announcer, serving)
    await stopped
    say('Stopping: finishing open requests and jobs.')
    const seconds = drainSeconds(config) + config.stopSeconds + stopSeconds
    await stopWithin(serving.stop(), seconds, serving.endDatabase)
    say('Stopped.')
  },
}

/** A database that is lost right after the start must not end the command: the service waits for it to return. */
async function warnings({ config, db }: Service): Promise<string[]> {
  const pause = await readPause(db).catch(() => null)
  return [
    ...(config.smtpUrl && !config.baseUrl ? [noBaseUrl] : []),
    ...(pause ? [`Emails and webhooks are paused (${pause.reason}). To send them: holdfast resume`] : []),
  ]
}

const noBaseUrl =
  'SMTP_URL is set but BASE_URL is not: links in emails point to localhost. Set BASE_URL to the public address of the service.'

const greet = (announcer: Announcer, { service, address, welcome }: Serving) =>
  announcer.started(`Holdfast is ready at ${address}`, [...welcome, `API docs      ${service.baseUrl}/docs`])
