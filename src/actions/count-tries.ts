import { countHits } from '../db/base/rates.ts'
import type { Service } from '../service.ts'

const windowSeconds = 60

/**
 * Counts one attempt of this client, in its own transaction, whatever the outcome. Limits that clients share
 * are counted once something is held or booked: booking/limits.ts.
 */
export async function countTry({ db, config }: Service, what: string, client: string) {
  const { hits, windowAge } = await countHits(db, { name: `${what}:${client}`, windowSeconds })
  const most = config.rateLimitPublic
  return {
    most,
    windowSeconds,
    left: Math.max(0, most - hits),
    isTooMuch: hits > most,
    wait: Math.max(1, Math.ceil(windowSeconds - windowAge)),
  }
}
