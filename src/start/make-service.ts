import { completeBatch } from '../actions/booking/batch/complete-batch.ts'
import { reserveBatch } from '../actions/booking/batch/reserve-batch.ts'
import type { PreparedReserve } from '../actions/booking/requests.ts'
import { setupBatchers } from '../actions/setup/batchers.ts'
import { WriteProbe } from '../db/base/write-probe.ts'
import { NearbyReader } from '../db/booking/nearby.ts'
import { RefChecker } from '../db/booking/ref-checker.ts'
import { EventListener } from '../db/event-listener.ts'
import { Suspensions } from '../db/setup/suspensions.ts'
import { busy, tooManyRequests } from '../errors.ts'
import { Admission } from '../lib/admission.ts'
import { Batcher } from '../lib/batcher.ts'
import { Counts } from '../lib/counts.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import { Outgoing } from '../lib/large-responses.ts'
import { ListCache } from '../lib/list-cache.ts'
import { usualCost } from '../lib/password.ts'
import { hashingLimits } from '../lib/password-threads.ts'
import { Health } from '../lib/watch/health.ts'
import { Metrics } from '../lib/watch/metrics.ts'
import { Outages } from '../lib/watch/outage-log.ts'
import type { Service } from '../service.ts'
import { makeSender } from '../webhooks/send.ts'
import { adoptOrigins } from './adopt-origins.ts'

// Two batches at once: while the database works on one, the next is read and decided. A small second batch
// costs more than it gains. Completing shares the two cores of a small machine with reserving, and does
// better with larger batches.
const reserveLimits = {
  concurrency: 2,
  maxBatch: 32,
  minForSecond: 5,
  lockOf: ({ refs }: PreparedReserve) => refs[0]!,
}
const completeLimits = { concurrency: 1, maxBatch: 32 }

export function makeService(parts: Pick<Service, 'config' | 'db' | 'signer' | 'baseUrl'>): Service {
  const lists = new ListCache(parts.config.listCacheMegabytes * 1024 * 1024)
  const eventListener = new EventListener(parts.db)
  const counts = {
    events: new Counts(),
    holds: new Counts(),
    refusals: new Counts(),
    lists: new Counts(),
    mails: new Counts(),
    deliveries: new Counts(),
  }
  const webhookSender = makeSender({ allowPrivate: parts.config.webhookAllowPrivate })
  const refs = new RefChecker(parts.db)
  const health = new Health()
  const service = {
    ...parts,
    passwordCost: usualCost,
    health,
    writeProbe: new WriteProbe(parts.db, health),
    metrics: new Metrics(),
    outages: new Outages(),
    refs,
    suspensions: new Suspensions(parts.db, origins => adoptOrigins(service.signer, origins)),
    nearby: new NearbyReader(parts.db),
    lists,
    eventListener,
    webhookSender,
    counts,
    admission: new Admission(),
    largeResponses: new Outgoing(parts.config.listSendingMegabytes * 1024 * 1024),
  } as Service
  service.listBuilding = new FairQueue({
    concurrency: 2,
    maxWaiting: parts.config.listQueue,
    full: busy,
    heavyMs: 200,
  })
  service.listPatching = new FairQueue({ concurrency: 16, maxWaiting: parts.config.listQueue, full: busy })
  const { retrySeconds, ...limits } = hashingLimits
  service.passwordHashing = new FairQueue({ ...limits, full: () => tooManyRequests(retrySeconds) })
  service.reserveBatcher = new Batcher(reserveBatch(service), reserveLimits)
  service.completeBatcher = new Batcher(completeBatch(service), completeLimits)
  return Object.assign(service, setupBatchers(service))
}
