import { StartError } from '../start-error.ts'
import { type Command, say, untilSignal } from './command.ts'

export const workerCommand: Command = {
  name: 'worker',
  summary:
    'Runs jobs only: delivers mails and reminders and tidies up, beside the processes that answer requests.',
  async run({ config }) {
    const { openService } = await import('../open-service.ts')
    const { startWorker } = await import('../worker.ts')
    const stopped = untilSignal()
    const { service, connection, embedded, close } = await openService(config, say)
    try {
      // Started by us, the database would be ours to stop as well, under a service that came later.
      if (embedded && !embedded.takenOver)
        throw new StartError(
          'There is no service to work for. Start holdfast serve first, or set DATABASE_URL.',
        )
      const log = { warn: (details: object, message: string) => say(`${message} ${JSON.stringify(details)}`) }
      const worker = startWorker(service, connection, log)
      say('Holdfast is working.')
      await stopped
      say('Stopping: finishing what is running.')
      await worker.stop()
    } finally {
      await close()
    }
    say('Stopped.')
  },
}
