import type { Completion, PreparedReserve, Reserved, TargetedRequest } from './actions/booking/requests.ts'
import type { CalendarClient } from './calendars/request.ts'
import type { Config } from './config.ts'
import type { Db } from './db/base/pool.ts'
import type { WriteProbe } from './db/base/write-probe.ts'
import type { BusinessFinder } from './db/booking/businesses.ts'
import type { NearbyReader } from './db/booking/nearby.ts'
import type { RefChecker } from './db/booking/ref-checker.ts'
import type { EventListener } from './db/event-listener.ts'
import type { RequestLog } from './db/setup/request-log.ts'
import type { Suspensions } from './db/setup/suspensions.ts'
import type { Admission } from './lib/admission.ts'
import type { Batcher } from './lib/batcher.ts'
import type { FairQueue } from './lib/fair-queue.ts'
import type { Outgoing } from './lib/large-responses.ts'
import type { ListCache } from './lib/list-cache.ts'
import type { PasswordCost } from './lib/password.ts'
import type { Signer } from './lib/signer.ts'
import type { Health } from './lib/watch/health.ts'
import type { Metrics } from './lib/watch/metrics.ts'
import type { Outages } from './lib/watch/outage-log.ts'
import type { WebhookSender } from './webhooks/send.ts'

/** The dependencies of handlers and actions. Created once at start; tests create their own. */
export type Service = {
  config: Config
  db: Db
  signer: Signer
  /** The cost of a password hash. Tests hash many, so they lower it. */
  passwordCost: PasswordCost
  /** Whether there is a mail server. Visitors are not promised emails without one. */
  sendsEmails: boolean
  /** The public address, without a trailing slash. */
  baseUrl: string
  health: Health
  metrics: Metrics
  outages: Outages
  /** Whether a booking could be written now. */
  writeProbe: WriteProbe
  refs: RefChecker
  businesses: BusinessFinder
  /** CRMs that are suspended or have moved away. */
  suspensions: Suspensions
  lists: ListCache
  requestLog: RequestLog
  /** Wakes up those that wait for events. */
  eventListener: EventListener
  /** Posts to webhook receivers. */
  webhookSender: WebhookSender
  /** Asks external calendar servers. */
  calendarClient: CalendarClient
  /** Reads the surroundings of recent changes of Resources. */
  nearby: NearbyReader
  /** Builds whole lists that are not cached. */
  listBuilding: FairQueue
  /** Rebuilds a few days of cached lists; separate, so that whole lists do not delay them. */
  listPatching: FairQueue
  /** Password checks and hashes; see lib/password-threads.ts. */
  passwordHashing: FairQueue
  /** Large responses that clients are still reading. */
  largeResponses: Outgoing
  /** Limits how many booking requests run at once. */
  admission: Admission
  reserveBatcher: Batcher<PreparedReserve, Reserved>
  completeBatcher: Batcher<TargetedRequest, Completion>
}
