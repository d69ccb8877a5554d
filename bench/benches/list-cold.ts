import { startBareText } from '../lib/bare-text.ts'
import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { alsoCompared, atLeast, type Row, reported } from '../lib/report.ts'
import { listPath } from '../lib/seed.ts'
import { withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { cpuPer } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'

/**
 * Every list is requested after a change of its Resource; both sides have the same change before each list.
 */
export const listCold = (): Promise<Row[]> =>
  onStage(async stage => {
    const { service, load, bare } = stage
    const work = changedLists(stage)
    const input = { database: service.database, lists: await listsAtHand(stage) }
    const builds = await bare('query', { ...input, build: true })
    const atHand = await bare('query', { ...input, build: false })
    const run = (port: number) => async () =>
      expectOnly(await load.run({ port, connections: 16, seconds: 3, work }), 200).perSecond
    const toBuilding = await compare(run(service.port), run(builds.port))
    const toAtHand = await compare(run(service.port), run(atHand.port), 3)
    const cost = await cpuPer(service.pid, () =>
      load.run({ port: service.port, connections: 1, seconds: 3, work }),
    )
    const nothing = await fromNothing()
    return [
      atLeast('list, from nothing', 'lists/s', nothing, 0.7),
      atLeast('list, cold', 'lists/s', toBuilding, 1),
      alsoCompared('list, cold, to objects at hand', 'lists/s', toAtHand),
      reported('list, cold, one at a time', `CPU a list: ${cost}`),
    ]
  })

/** The first list after a start: nothing is cached, not even an older version. */
const fromNothing = () =>
  onStage(
    async stage => {
      const { service, seeded, load } = stage
      const limit = await startBareText(stage)
      const requests = seeded.resources.map(({ uuid }) => requestText('GET', listPath(uuid)))
      const run = (port: number) => async () => {
        const plan = { port, connections: 16, seconds: 2, work: { kind: 'cycle' as const, requests } }
        return expectOnly(await load.run(plan), 200).perSecond
      }
      return compare(run(service.port), run(limit.port))
    },
    { env: { LIST_CACHE_MB: '0' } },
  )

function changedLists({ service, seeded }: Stage) {
  const requests = seeded.resources.map(({ uuid }) => ({
    request: requestText('GET', listPath(uuid)),
    value: uuid,
  }))
  return { kind: 'changed' as const, requests, sql: change, database: service.database }
}

// Not flushed to disk: the bench measures the list.
const change = `with quick as (select set_config('synchronous_commit', 'off', true))
  update resource set revision = revision + 1 from quick where uuid = $1`

async function listsAtHand({ service }: Stage) {
  const { rows } = await withSql(service, client => client.query('select id::int, uuid from resource'))
  const lists = new Map<string, { resourceId: number; list: unknown }>()
  for (const { id, uuid } of rows) {
    const list = await (await fetch(service.origin + listPath(uuid))).json()
    lists.set(listPath(uuid), { resourceId: id, list })
  }
  return lists
}
