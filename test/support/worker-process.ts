// A job worker in a separate process, so that a test can kill it. Its settings are JSON in WORKER.

import type { FastifyBaseLogger } from 'fastify'
import { readConfig } from '../../src/config.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { makeService } from '../../src/start/make-service.ts'
import { startWorker } from '../../src/start/worker.ts'

const { connection, env } = JSON.parse(process.env.WORKER!)
const config = readConfig(env)
const db = openDb(connection)
const service = makeService({ config, db, signer: makeSigner('s'.repeat(32)), baseUrl: config.baseUrl! })
startWorker(service, connection, { warn() {} } as unknown as FastifyBaseLogger)
