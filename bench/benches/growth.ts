import { type Comparison, compare } from '../lib/compare.ts'
import { expectOnly, type Load } from '../lib/load.ts'
import { progress } from '../lib/progress.ts'
import { atMost, type Row } from '../lib/report.ts'
import {
  bookDaily,
  bookedTimes,
  daysFromTomorrow,
  listPath,
  makePractice,
  makeTimeslots,
  type Seeded,
} from '../lib/seed.ts'
import { type Running, startService, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { requestText } from '../load/connection.ts'

// The cost of an uncached list, one request at a time, relative to our own cost at x1. Resources of the same
// kind are never shared, so each has its own rows, as in production.

const env = { LIST_CACHE_MB: '0' }
const otherBookings = 50 * 140 * 100

export const growth = (): Promise<Row[]> =>
  onStage(
    async ({ service, load }) => {
      const crowded = await startService({ env })
      try {
        const here = await furnish(service)
        const there = await furnish(crowded)
        progress(`  adding ${otherBookings.toLocaleString('en')} bookings of other Resources`)
        await withSql(crowded, client => client.query(crowd, [otherBookings]))
        const cost = costOf(load)
        const against = (other: () => Promise<number>) => compare(other, cost(service, here, 0))
        return [
          row('x4 days', await against(cost(service, here, 1)), 4.4),
          row('x16 days', await against(cost(service, here, 2)), 17.6),
          row('x16 history', await compare(cost(service, here, 4), cost(service, here, 3)), 1.15),
          row('x100 bookings of others', await against(cost(crowded, there, 0)), 1.15),
        ]
      } finally {
        await crowded.stop()
      }
    },
    { env, data: 'none' },
  )

const row = (what: string, result: Comparison, most: number) => atMost(`growth: ${what}`, 'ms', result, most)

const costOf = (load: Load) => (service: Running, seeded: Seeded, room: number) => async () => {
  const requests = [requestText('GET', listPath(seeded.resources[room]!.uuid))]
  const plan = { port: service.port, connections: 1, seconds: 2, work: { kind: 'cycle' as const, requests } }
  return expectOnly(await load.run(plan), 200).p50
}

/**
 * Rooms 0 to 2 have 28, 112 and 448 days to come, rooms 3 and 4 have 28 to come and 28 or 448 behind them.
 */
async function furnish(service: Running): Promise<Seeded> {
  const seeded = await makePractice(service, 5, 448)
  const [upcoming, past] = [
    [28, 112, 448, 28, 28],
    [0, 0, 0, 28, 448],
  ]
  for (const [index, resource] of seeded.resources.entries()) {
    const days = daysFromTomorrow(upcoming[index]! + past[index]!, 1 - past[index]!).filter(
      day => day !== new Date().toISOString().slice(0, 10),
    )
    await makeTimeslots(service, { ...seeded, resources: [resource], days })
    for (const time of bookedTimes) await bookDaily(service, seeded, resource.reference, time, days)
  }
  return seeded
}

// Plain SQL: the API would take minutes to create the same rows.
const crowd = `
  with room as (
    insert into resource (provider_id, reference, public_name, internal_name)
    select (select min(id) from provider), 'crowd-' || number, 'Crowd', 'C' from generate_series(1, 49) number
    returning id, provider_id
  ), numbered as (
    select *, row_number() over () - 1 as number from room
  ), made as (
    insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from,
      blocked_to, capacity, accept_bookings)
    select provider_id, numbered.id, (select min(id) from product), 'crowd-' || slot || '-' || numbered.id, 'consumer',
      at, at + interval '30 minutes', at, at + interval '30 minutes', 1, true
    from numbered, generate_series(1, $1::int / 49) slot,
      lateral (select now() - interval '100 days' + slot * interval '30 minutes' as at) times
    returning id, provider_id
  )
  insert into participation (provider_id, appointment_id, reference, name, email, state)
  select provider_id, id, 'crowd-' || id, 'Ann', 'ann@example.org', 'BOOKED' from made`
