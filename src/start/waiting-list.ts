import { errorsIn, runWaitingList } from '../actions/scheduling/waiting/search.ts'
import type { Service } from '../service.ts'
import { repeat, type WarningLog, warnUnlessOutage } from './repeat.ts'

const everyMs = 2_000
const awayMs = 5_000

/**
 * Passes on lapsed offers and offers time that has opened, until stopped. Any number of instances may run
 * this: the locks of the Resources and the unique indexes of the offers decide.
 */
export function startWaitingList(service: Service, log: WarningLog) {
  const stopping = new AbortController()
  const running = repeat(stopping.signal, awayMs, async () => {
    try {
      await runWaitingList(service)
    } catch (error) {
      for (const one of errorsIn(error))
        warnUnlessOutage(service, log, one, 'the waiting list could not be worked off')
      throw error
    }
    return everyMs
  })
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
