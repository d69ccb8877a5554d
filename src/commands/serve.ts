import cluster from 'node:cluster'
import type { Serving } from '../start/serve.ts'
import { announce, type Command, countOption, inTime, leavingSeconds, untilSignal } from './command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the service: HTTP, jobs and, without DATABASE_URL, its own PostgreSQL.',
  options: { processes: { type: 'string' }, 'without-jobs': { type: 'boolean' } },
  help: {
    processes: 'answer with so many processes on one port, one for each core at the most (default 1)',
    'without-jobs': 'only answer requests: mails, reminders and tidying are left to holdfast worker',
  },
  async run({ config, values }) {
    const count = countOption('processes', values.processes ?? 1, 1, 64)
    const running = { jobs: !values['without-jobs'] }
    // Loaded only now: no other command, nor help, waits for the whole service.
    const { drainSeconds, serve } = await import('../start/serve.ts')
    const { serveCluster, serveInCluster } = await import('../start/cluster.ts')
    if (cluster.isWorker) return serveInCluster(config, running)
    const stopped = untilSignal()
    const serving =
      count > 1 ? await serveCluster(config, count, announce) : await serve(config, announce, running)
    greet(serving)
    if (config.smtpUrl && !config.baseUrl)
      announce(
        'SMTP_URL is set and BASE_URL is not: links in mails lead to localhost. Set BASE_URL to the address at which people reach the service.',
        { level: 40 },
      )
    await stopped
    announce('Stopping: finishing what is running.')
    await inTime(serving.stop(), drainSeconds(config) + config.stopSeconds + leavingSeconds)
    announce('Stopped.')
  },
}

function greet({ service, address, welcome }: Serving) {
  announce(`Holdfast is ready at ${address}`)
  if (welcome) announce(welcome)
  announce(`  API docs      ${service.baseUrl}/docs`)
}
