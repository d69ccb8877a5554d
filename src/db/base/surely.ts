import { isConnectionLoss } from './postgres-errors.ts'

const pausesMs = [0, 100, 300, 1000, 2000]

/** For what may have been done already, and may be done again: the database may be away for a moment, and is asked once more. */
export async function surely<Done>(work: () => Promise<Done>): Promise<Done> {
  for (let tries = 0; ; tries++) {
    await pause(pausesMs[tries]!)
    try {
      return await work()
    } catch (error) {
      if (!isConnectionLoss(error) || tries + 1 >= pausesMs.length) throw error
    }
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms).unref())
