import { createDemo, isEmpty } from '../actions/demo.ts'
import type { Config } from '../config.ts'
import { type Serving, serve } from '../serve.ts'
import { type Command, say } from './command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the service: HTTP, jobs and, without DATABASE_URL, its own PostgreSQL.',
  async run({ config }) {
    const stopped = untilSignal()
    const serving = await serve(config, say)
    await greet(serving, config)
    await stopped
    say('Stopping: finishing what is running.')
    await serving.stop()
    say('Stopped.')
  },
}

async function greet({ service, address }: Serving, config: Config) {
  const first = !config.databaseUrl && config.demo && (await isEmpty(service))
  say(`Holdfast is ready at ${address}`)
  if (first) say(await createDemo(service))
  say(`  API docs      ${service.baseUrl}/docs`)
}

/** The first signal asks to stop; a second one means now. */
function untilSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve()
        process.once(signal, () => process.exit(1))
      })
    }
  })
}
