import { runWaitingList } from '../actions/scheduling/waiting/search.ts'
import { logOutage } from '../db/base/postgres-errors.ts'
import type { Service } from '../service.ts'

type Log = { warn(details: object, message: string): void }

const everyMs = 2_000
const awayMs = 5_000

/**
 * Passes on lapsed offers and offers time that has opened, until stopped. Any number of instances may run
 * this: the locks of the Resources and the unique indexes of the offers decide.
 */
export function startWaitingList(service: Service, log: Log) {
  const stopping = new AbortController()

  async function round(): Promise<number> {
    try {
      await runWaitingList(service)
      return everyMs
    } catch (error) {
      if (logOutage(service.outages, log, error) === null)
        log.warn({ err: error as Error }, 'the waiting list could not be worked off')
      return awayMs
    }
  }

  async function run() {
    while (!stopping.signal.aborted) await pause(await round(), stopping.signal)
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const pause = (ms: number, stopping: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    timer.unref()
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    stopping.addEventListener('abort', end, { once: true })
  })
