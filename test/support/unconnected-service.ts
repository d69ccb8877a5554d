import { readConfig } from '../../src/config.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { makeService } from '../../src/start/make-service.ts'

/** A whole service whose database is never asked: a pool connects when it is first used. */
export const unconnectedService = (env: Record<string, string>) =>
  makeService({
    config: readConfig(env),
    db: openDb({ host: '127.0.0.1', port: 1 }),
    signer: makeSigner('test'.repeat(8)),
    baseUrl: 'http://localhost',
  })
