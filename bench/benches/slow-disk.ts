import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { alsoCompared, type Row } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { pairRequests } from './reserve.ts'

const flushMs = 3
const [many, few] = [32, 1]

/**
 * Whole bookings with emails where each flush of the log takes 3 ms, by 32 visitors beside one. Their jobs
 * notify, and PostgreSQL commits what notifies one by one.
 */
export const slowDisk = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load }) => {
    await withSql(service, async client => {
      // PostgreSQL waits so long before each flush.
      await client.query(`alter system set commit_delay = ${flushMs * 1000}`)
      await client.query('alter system set commit_siblings = 0')
      await client.query('select pg_reload_conf()')
    })
    const pairs = (await freeSlots(service, seeded)).map((slot, index) => pairRequests(slot, index))
    let at = 0
    const by = (connections: number) => async () => {
      const work = { kind: 'pairs' as const, pairs: pairs.slice(at) }
      const outcome = expectOnly(await load.run({ port: service.port, connections, seconds: 3, work }), 201)
      at += outcome.used
      return outcome.perSecond
    }
    const result = await compare(by(many), by(few), 3)
    return [
      alsoCompared(
        `bookings with emails at a flush of ${flushMs} ms, ${many} visitors beside ${few}`,
        'a second',
        result,
      ),
    ]
  })
