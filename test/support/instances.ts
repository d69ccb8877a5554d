import { afterAll, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDb } from '../../src/db/base/pool.ts'
import type { Service } from '../../src/service.ts'
import { makeService } from '../../src/start/make-service.ts'
import type { TestService } from './service.ts'

/** Another instance of the service on the same database, until the test ends. */
export async function startSecondInstance(holdfast: TestService, change: Partial<Service> = {}) {
  const { app, close } = await buildSecondInstance(holdfast, change)
  onTestFinished(close)
  return app
}

/** The same until the tests of the file are done. */
export async function useSecondInstance(holdfast: TestService, change: Partial<Service> = {}) {
  const { app, close } = await buildSecondInstance(holdfast, change)
  afterAll(close)
  return app
}

async function buildSecondInstance(
  { service, connection, clock }: TestService,
  change: Partial<Service> = {},
) {
  const db = change.db ?? openDb(connection, clock)
  const app = await buildApp(makeService({ ...service, ...change, db }))
  return {
    app,
    async close() {
      await app.close()
      await db.close()
    },
  }
}
