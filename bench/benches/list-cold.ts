import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { listPath } from '../lib/seed.ts'
import { withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { cpuMs } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'

/** Every list is asked for after a change of its Resource; both sides have the same change before each list. */
export const listCold = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load, bare }) => {
    const ids = await withSql(service, client => client.query('select id, uuid from resource'))
    const lists = new Map<string, { resourceId: number; list: unknown }>()
    for (const { id, uuid } of ids.rows)
      lists.set(listPath(uuid), {
        resourceId: id,
        list: await (await fetch(service.origin + listPath(uuid))).json(),
      })
    const limit = await bare('query', { database: service.database, lists })
    const requests = seeded.resources.map(({ uuid }) => ({
      request: requestText('GET', listPath(uuid)),
      value: uuid,
    }))
    const work = { kind: 'changed' as const, requests, sql: change, database: service.database }
    const run = (port: number) => async () =>
      expectOnly(await load.run({ port, connections: 16, seconds: 3, work }), 200).perSecond
    const before = cpuMs(service.pid)
    let count = 0
    const ours = run(service.port)
    const result = await compare(async () => ours(), run(limit.port))
    const alone = await load.run({ port: service.port, connections: 1, seconds: 3, work })
    const mid = cpuMs(service.pid)
    const again = await load.run({ port: service.port, connections: 1, seconds: 3, work })
    const after = cpuMs(service.pid)
    count = again.count
    void before
    return [
      atLeast('list, cold', 'lists/s', result, 1),
      reported(
        'list, cold, one at a time',
        `${alone.p50.toFixed(2)} ms (p50), of it the change before it; CPU a list: service ${((after.own - mid.own) / count).toFixed(2)} ms, PostgreSQL ${((after.below - mid.below) / count).toFixed(2)} ms`,
      ),
    ]
  })

// Not flushed: what is measured is the list.
const change = `with quick as (select set_config('synchronous_commit', 'off', true))
  update resource set revision = revision + 1 from quick where uuid = $1`
