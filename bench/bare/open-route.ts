// The service's own app, with one of its group B routes added a second time: under /open, without the key
// check.

import type pg from 'pg'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { openDb } from '../../src/db/base/pool.ts'
import { getProducts } from '../../src/http/setup/products.ts'
import { register } from '../../src/http/wire/register.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import { makeService } from '../../src/start/make-service.ts'

process.once('message', async ({ database, crm }: { database: pg.PoolConfig; crm: string }) => {
  const config = readConfig({ LOG_LEVEL: 'warn' })
  const db = openDb(database)
  const service = makeService({ config, db, signer: makeSigner('s'.repeat(32)), baseUrl: 'http://localhost' })
  const app = await buildApp(service)
  const { rows } = await db.pool.query('select id, name, language from crm where name = $1', [crm])
  const caller = { crm: rows[0], actor: { kind: 'key', name: 'none' } }
  const open = {
    ...getProducts,
    access: { kind: 'public' as const },
    handle: (call: unknown) => getProducts.handle({ ...(call as object), caller }),
  }
  register(app, service, open, '/open')
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  process.send!(Number(new URL(address).port))
})
