import { completeBatch } from '../actions/booking/batch/complete-batch.ts'
import { reserveBatch } from '../actions/booking/batch/reserve-batch.ts'
import type { PreparedReserve } from '../actions/booking/requests.ts'
import { CalendarProblem } from '../calendars/problem.ts'
import { makeCalendarClient } from '../calendars/request.ts'
import { WriteProbe } from '../db/base/write-probe.ts'
import { BusinessFinder } from '../db/booking/businesses.ts'
import { NearbyReader } from '../db/booking/nearby.ts'
import { RefChecker } from '../db/booking/ref-checker.ts'
import { EventListener } from '../db/event-listener.ts'
import { RequestLog } from '../db/setup/request-log.ts'
import { Suspensions } from '../db/setup/suspensions.ts'
import { busy, tooManyRequests } from '../errors.ts'
import { Admission } from '../lib/admission.ts'
import { Batcher } from '../lib/batcher.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import { Outgoing } from '../lib/large-responses.ts'
import { ListCache } from '../lib/list-cache.ts'
import { defaultCost } from '../lib/password.ts'
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
  const { db, signer } = parts
  // A sandbox stays on this machine, and so do the receivers it is tested with.
  const config = {
    ...parts.config,
    webhookAllowPrivate: parts.config.webhookAllowPrivate || parts.config.sandbox,
  }
  const allowPrivate = config.webhookAllowPrivate
  const health = new Health()
  const metrics = new Metrics()
  const observe = (kind: string) => (size: number) => metrics.groupSize.observe({ kind }, size)
  const listQueue = { maxWaiting: config.listQueue, full: busy }
  const { retrySeconds, ...limits } = hashingLimits
  const service: Service = {
    ...parts,
    config,
    passwordCost: defaultCost,
    sendsEmails: config.smtpUrl !== null,
    health,
    writeProbe: new WriteProbe(db, health),
    metrics,
    outages: new Outages(),
    refs: new RefChecker(db),
    businesses: new BusinessFinder(db),
    suspensions: new Suspensions(db, origins => adoptOrigins(signer, origins)),
    requestLog: new RequestLog(db),
    nearby: new NearbyReader(db),
    lists: new ListCache(config.listCacheMegabytes * megabyte),
    eventListener: new EventListener(db),
    webhookSender: makeSender({ allowPrivate }),
    calendarClient: config.sandbox ? noCalendars : makeCalendarClient({ allowPrivate }),
    admission: new Admission(),
    largeResponses: new Outgoing(config.listSendingMegabytes * megabyte),
    listBuilding: new FairQueue({ ...listQueue, concurrency: 2, heavyMs: 200 }),
    listPatching: new FairQueue({ ...listQueue, concurrency: 16 }),
    passwordHashing: new FairQueue({ ...limits, full: () => tooManyRequests(retrySeconds) }),
    reserveBatcher: new Batcher((...batch) => reserve(...batch), {
      ...reserveLimits,
      observe: observe('reserve'),
    }),
    completeBatcher: new Batcher((...batch) => complete(...batch), {
      ...completeLimits,
      observe: observe('complete'),
    }),
  }
  const reserve = reserveBatch(service)
  const complete = completeBatch(service)
  return service
}

/** Only webhooks leave a sandbox. */
const noCalendars = {
  send: async () => {
    throw new CalendarProblem('connection')
  },
}

const megabyte = 1024 * 1024
