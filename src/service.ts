import type { Completion, TargetedWish } from './actions/complete.ts'
import { completeTogether } from './actions/complete-together.ts'
import type { Reserved, ReserveWish } from './actions/reserve.ts'
import { reserveTogether } from './actions/reserve-together.ts'
import type { Config } from './config.ts'
import type { Db } from './db/pool.ts'
import { RefChecker } from './db/ref-checker.ts'
import { Gathering } from './gathering.ts'
import { ListCache } from './http/list-cache.ts'
import type { Signer } from './signer.ts'

/** What handlers and actions work with. Made once at start; tests make their own. */
export type Service = {
  config: Config
  db: Db
  signer: Signer
  /** Where people reach us, without a slash at the end. */
  baseUrl: string
  refs: RefChecker
  lists: ListCache
  reserving: Gathering<ReserveWish, Reserved>
  completing: Gathering<TargetedWish, Completion>
}

// Two groups at once: while the database works on one, the next can be read and decided. A small second group costs more
// than it brings. Completing shares the two cores of a small machine with reserving, and is better off with larger groups.
const reserving = { lanes: 2, most: 32, crowd: 5 }
const completing = { lanes: 1, most: 32 }

export function makeService(parts: Pick<Service, 'config' | 'db' | 'signer' | 'baseUrl'>): Service {
  const lists = new ListCache(parts.config.listCacheMegabytes * 1024 * 1024)
  const service = { ...parts, refs: new RefChecker(parts.db), lists } as Service
  service.reserving = new Gathering(reserveTogether(service), reserving)
  service.completing = new Gathering(completeTogether(service), completing)
  return service
}
