import { KnownOffers } from '../actions/booking/known-offers.ts'
import { completeTogether } from '../actions/booking/together/complete-together.ts'
import { moveTogether } from '../actions/booking/together/move-together.ts'
import { reserveTogether } from '../actions/booking/together/reserve-together.ts'
import type { ReserveWish } from '../actions/booking/wishes.ts'
import { setupTogether } from '../actions/setup/together.ts'
import { NearbyReader } from '../db/booking/nearby.ts'
import { RefChecker } from '../db/booking/ref-checker.ts'
import { EventBell } from '../db/event-bell.ts'
import { busy } from '../errors.ts'
import { Admission } from '../lib/admission.ts'
import { Counts } from '../lib/counts.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import { Gathering } from '../lib/gathering.ts'
import { ListCache } from '../lib/list-cache.ts'
import { Outgoing } from '../lib/outgoing.ts'
import { usualCost } from '../lib/password.ts'
import { Health } from '../lib/watch/health.ts'
import { Metrics } from '../lib/watch/metrics.ts'
import type { Service } from '../service.ts'
import { makeSender } from '../webhooks/send.ts'

// Two groups at once: while the database works on one, the next can be read and decided. A small second group costs more
// than it brings. Completing shares the two cores of a small machine with reserving, and is better off with larger groups.
const reserving = { lanes: 2, most: 32, crowd: 5, lockOf: ({ refs }: ReserveWish) => refs[0]! }
const completing = { lanes: 1, most: 32 }
const moving = { lanes: 2, most: 32, crowd: 5 }

export function makeService(parts: Pick<Service, 'config' | 'db' | 'signer' | 'baseUrl'>): Service {
  const lists = new ListCache(parts.config.listCacheMegabytes * 1024 * 1024)
  const bell = new EventBell(parts.db)
  const counts = {
    events: new Counts(),
    holds: new Counts(),
    refusals: new Counts(),
    lists: new Counts(),
    mails: new Counts(),
    deliveries: new Counts(),
  }
  const sender = makeSender({ allowPrivate: parts.config.webhookAllowPrivate })
  const refs = new RefChecker(parts.db)
  const service = {
    ...parts,
    passwordCost: usualCost,
    health: new Health(),
    metrics: new Metrics(),
    refs,
    nearby: new NearbyReader(parts.db),
    lists,
    offers: new KnownOffers((parts.config.listCacheMegabytes * 1024 * 1024) / 8),
    bell,
    sender,
    counts,
    admission: new Admission(),
    outgoing: new Outgoing(parts.config.listSendingMegabytes * 1024 * 1024),
  } as Service
  service.making = new FairQueue({ lanes: 2, most: parts.config.listQueue, full: busy })
  service.mending = new FairQueue({ lanes: 16, most: parts.config.listQueue, full: busy })
  service.reserving = new Gathering(reserveTogether(service), reserving)
  service.completing = new Gathering(completeTogether(service), completing)
  service.moving = new Gathering(moveTogether(service), moving)
  return Object.assign(service, setupTogether(service))
}
