import { onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDb } from '../../src/db/pool.ts'
import type { Service } from '../../src/service.ts'
import type { TestService } from './service.ts'

/** Another instance of the service on the same database, until the test ends. */
export async function startSecondInstance(
  { service, connection, clock }: TestService,
  change: Partial<Service> = {},
) {
  const db = openDb(connection, clock)
  const app = await buildApp({ ...service, db, ...change })
  onTestFinished(async () => {
    await app.close()
    await db.close()
  })
  return app
}
