import { setTimeout as pause } from 'node:timers/promises'
import { isConnectionLoss } from './postgres-errors.ts'

const pausesMs = [0, 100, 300, 1000, 2000]

/** Retries idempotent work whose outcome is unknown, in case the database is unavailable for a moment. */
export async function retryUntilKnown<Done>(work: () => Promise<Done>): Promise<Done> {
  for (let tries = 0; ; tries++) {
    await pause(pausesMs[tries]!, undefined, { ref: false })
    try {
      return await work()
    } catch (error) {
      if (!isConnectionLoss(error) || tries + 1 >= pausesMs.length) throw error
    }
  }
}
