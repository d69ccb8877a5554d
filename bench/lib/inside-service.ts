import { type Config, readConfig } from '../../src/config.ts'
import type { Db } from '../../src/db/base/pool.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import type { Service } from '../../src/service.ts'
import { makeService } from '../../src/start/make-service.ts'

/** The service in this process, for jobs that a bench runs itself. */
export const insideService = (db: Db, config: Partial<Config> = {}): Service =>
  makeService({
    config: { ...readConfig({}), ...config },
    db,
    signer: makeSigner('bench'.repeat(8)),
    baseUrl: 'http://localhost',
  })
