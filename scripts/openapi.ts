// Prints our OpenAPI document. Needs no database.

import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDb } from '../src/db/base/pool.ts'
import { makeSigner } from '../src/lib/signer.ts'
import { makeService } from '../src/start/make-service.ts'

if (import.meta.main) console.log(await openApiText())

export async function openApiText(baseUrl = 'http://localhost'): Promise<string> {
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const db = openDb({})
  const app = await buildApp(makeService({ config, db, signer: makeSigner('x'.repeat(32)), baseUrl }))
  const { body } = await app.inject('/openapi.json')
  await app.close()
  await db.close()
  return body
}
