// A list without a cache: the service's own statement, then JSON.stringify of the same objects. The objects are at
// hand already: not even the slots are computed, so this is less than any program can do.

import type pg from 'pg'
import sql from 'sql-template-tag'
import { openDb } from '../../src/db/pool.ts'
import { windowQuery } from '../../src/db/windows.ts'
import { serveBare } from './serve.ts'

type Input = { database: pg.PoolConfig; lists: Map<string, { resourceId: number; list: unknown }> }

const bounds = { from: sql`app_now()`, to: sql`'infinity'::timestamptz` }

serveBare(({ database, lists }: Input) => {
  const db = openDb(database)
  return async (request, response) => {
    const { resourceId, list } = lists.get(request.url!)!
    const wanted = sql`(select ${resourceId}::bigint as resource_id, 'RESOURCE_PUBLIC' as channel_key, 1 as position) as wanted`
    await db.query(windowQuery(wanted, bounds))
    const body = Buffer.from(JSON.stringify(list))
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    })
    response.end(body)
  }
})
