import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../../../lib/watch/metrics.ts'

/** `route` is its pattern, never the address itself: references and tokens may say who somebody is. */
type Answered = { reqId: string; method: string; route: string | undefined; status: number }

/** Each answer is counted and, where that is wanted, logged. */
export function noteAnswer(metrics: Metrics, log: FastifyBaseLogger, answered: Answered, tookMs: number) {
  metrics.requests.note(answered.method, answered.route ?? 'unknown', answered.status, tookMs / 1000)
  log.info({ ...answered, ms: Math.round(tookMs * 10) / 10 }, 'answered')
}
