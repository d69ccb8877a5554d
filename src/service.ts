import type { Config } from './config.ts'
import type { Db } from './db/pool.ts'
import type { Signer } from './signer.ts'

/** What handlers and actions work with. Made once at start; tests make their own. */
export type Service = {
  config: Config
  db: Db
  signer: Signer
  /** Where people reach us, without a slash at the end. */
  baseUrl: string
}
