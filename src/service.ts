import type { KnownOffers } from './actions/booking/known-offers.ts'
import type {
  Completion,
  LinkedMoveWish,
  Moved,
  Reserved,
  ReserveWish,
  TargetedWish,
} from './actions/booking/wishes.ts'
import type { Config } from './config.ts'
import type { Db } from './db/base/pool.ts'
import type { NearbyReader } from './db/booking/nearby.ts'
import type { RefChecker } from './db/booking/ref-checker.ts'
import type { EventBell } from './db/event-bell.ts'
import type { LookUps } from './db/setup/look-ups.ts'
import type { Creation, WantedResource } from './db/setup/wanted-resource.ts'
import type { Admission } from './lib/admission.ts'
import type { Counts } from './lib/counts.ts'
import type { FairQueue } from './lib/fair-queue.ts'
import type { Gathering } from './lib/gathering.ts'
import type { ListCache } from './lib/list-cache.ts'
import type { Outgoing } from './lib/outgoing.ts'
import type { PasswordCost } from './lib/password.ts'
import type { Signer } from './lib/signer.ts'
import type { Health } from './lib/watch/health.ts'
import type { Metrics } from './lib/watch/metrics.ts'
import type { WebhookSender } from './webhooks/send.ts'

/** What handlers and actions work with. Made once at start; tests make their own. */
export type Service = {
  config: Config
  db: Db
  signer: Signer
  /** What it takes to try a password. Tests, which try many, make it cheap. */
  passwordCost: PasswordCost
  /** Where people reach us, without a slash at the end. */
  baseUrl: string
  health: Health
  metrics: Metrics
  refs: RefChecker
  lists: ListCache
  /** Wakes who waits for news. */
  bell: EventBell
  /** For metrics: what this process did and what it refused. */
  counts: Record<'events' | 'holds' | 'refusals' | 'lists' | 'mails' | 'deliveries', Counts>
  /** Posts to receivers of webhooks. */
  sender: WebhookSender
  /** What is near the last changes of Resources. */
  nearby: NearbyReader
  /** Lists that are not at hand are made in turn ... */
  making: FairQueue
  /** ... and so are, apart from them, those of which a few days are made anew. */
  mending: FairQueue
  /** Large answers that are being read. */
  outgoing: Outgoing
  /** How many of those who want to book are let in. */
  admission: Admission
  /** What lists have read, for those who hold a slot of them. */
  offers: KnownOffers
  reserving: Gathering<ReserveWish, Reserved>
  creating: Gathering<WantedResource, Creation>
  lookUps: LookUps
  completing: Gathering<TargetedWish, Completion>
  moving: Gathering<LinkedMoveWish, Moved>
}
