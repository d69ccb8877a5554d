import { extendHours } from '../../src/actions/scheduling/hours/hours.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { insideService } from '../lib/inside-service.ts'
import { type Row, reported } from '../lib/report.ts'
import { makePractice } from '../lib/seed.ts'
import { withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'

const resources = 1000
const longestLock = 50

/**
 * The daily job for a thousand Resources with hours, each of which needs a day: its duration, and the longest
 * wait it causes.
 */
export const hoursJob = (): Promise<Row[]> =>
  onStage(
    async ({ service }) => {
      await makePractice(service, 0, 0)
      await withSql(service, client => client.query(crowd, [resources]))
      const db = openDb(service.database)
      try {
        const { ms, locks } = await timed(db)
        const longest = Math.max(...locks)
        return [
          reported(`hours job, ${resources} Resources`, `${(ms / 1000).toFixed(2)} s`),
          {
            bench: 'hours job, longest lock of a Resource',
            ours: `${longest.toFixed(1)} ms`,
            limit: '',
            ratio: '',
            reach: `at most ${longestLock} ms`,
            reached: longest <= longestLock,
          },
        ]
      } finally {
        await db.close()
      }
    },
    { data: 'none' },
  )

/**
 * Counts from the first statement, which takes the locks, to the end; waiting for a connection is not
 * counted.
 */
async function timed(db: Db) {
  const locks: number[] = []
  const transaction: Db['transaction'] = async (work, isRival) => {
    let begun = 0
    const result = await db.transaction(tx => {
      begun = performance.now()
      return work(tx)
    }, isRival)
    locks.push(performance.now() - begun)
    return result
  }
  const begun = performance.now()
  // Recording events needs the database, and counts them.
  await extendHours({ ...insideService(db), db: { ...db, transaction } })
  return { ms: performance.now() - begun, locks }
}

const crowd = `
  with room as (
    insert into resource (provider_id, reference, public_name, internal_name)
    select (select min(id) from provider), 'crowd-' || number, 'Crowd', 'C' from generate_series(1, $1::int) number
    returning id, provider_id
  ), hours as (
    insert into opening_hours (resource_id, provider_id, weeks, made_until)
    select id, provider_id, 12, current_date + 83 from room
  )
  insert into opening_rule (resource_id, provider_id, position, weekdays, from_minute, to_minute, raster, capacity,
    accept_bookings)
  select id, provider_id, position, '{1,2,3,4,5,6,7}', 480 + position * 300, 720 + position * 300, 30, 1, true
  from room, generate_series(0, 1) position`
