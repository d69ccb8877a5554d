import type { Serving } from '../serve.ts'
import { type Command, say } from './command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the service: HTTP, jobs and, without DATABASE_URL, its own PostgreSQL.',
  async run({ config }) {
    const stopped = untilSignal()
    const { serve } = await import('../serve.ts')
    const serving = await serve(config, say)
    greet(serving)
    await stopped
    say('Stopping: finishing what is running.')
    await serving.stop()
    say('Stopped.')
  },
}

function greet({ service, address, welcome }: Serving) {
  say(`Holdfast is ready at ${address}`)
  if (welcome) say(welcome)
  say(`  API docs      ${service.baseUrl}/docs`)
}

/** The first signal asks to stop. Another one some seconds later means now; at once it is the same one, sent twice. */
function untilSignal(): Promise<void> {
  return new Promise(resolve => {
    let firstAt: number | null = null
    const onSignal = () => {
      if (firstAt !== null && performance.now() - firstAt > 2_000) process.exit(1)
      firstAt ??= performance.now()
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
