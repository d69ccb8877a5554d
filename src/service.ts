import type { Config } from './config.ts'
import type { Db } from './db/pool.ts'
import { RefChecker } from './db/ref-checker.ts'
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
}

export function makeService(parts: Pick<Service, 'config' | 'db' | 'signer' | 'baseUrl'>): Service {
  const lists = new ListCache(parts.config.listCacheMegabytes * 1024 * 1024)
  return { ...parts, refs: new RefChecker(parts.db), lists }
}
