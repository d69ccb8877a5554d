import pg from 'pg'
import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atMost, type Row } from '../lib/report.ts'
import { freeSlots, inParallel } from '../lib/seed.ts'
import { onStage } from '../lib/stage.ts'
import { requestText } from '../load/connection.ts'
import { type Booked, book, tokenIn } from './moves.ts'

const perRound = 250
const rounds = 7

/** Consumers cancel by link where people wait for something else, compared with an empty waiting list. */
export const cancels = (): Promise<Row[]> =>
  onStage(
    async ({ service, seeded, load }) => {
      const db = new pg.Pool(service.database)
      const slots = (await freeSlots(service, seeded)).slice(0, perRound * (rounds + 1) * 4)
      const booked = await inParallel(slots, 16, slot => book(service, slot))
      let at = 0
      const cancelling = (entries: number) => async () => {
        await makeEntries(db, entries)
        const requests = booked.slice(at, at + perRound).map(cancelRequest)
        at += perRound
        const work = { kind: 'once' as const, requests }
        const outcome = await load.run({ port: service.port, connections: 1, seconds: 30, work })
        return 1000 / expectOnly(outcome, 200).perSecond
      }
      const one = await compare(cancelling(1), cancelling(0), rounds)
      const many = await compare(cancelling(10_000), cancelling(0), rounds)
      await db.end()
      return [
        atMost('a cancellation, one person waits for something else', 'ms', one, 1.05),
        atMost('a cancellation, 10,000 people wait for something else', 'ms', many, 1.05),
      ]
    },
    { args: ['--without-jobs'] },
  )

function cancelRequest({ cancelLink, appointment_uuid }: Booked) {
  const path = `/customers/${appointment_uuid}/appointments/${appointment_uuid}`
  return requestText('DELETE', path, { 'x-signed-app-customer': tokenIn(cancelLink) })
}

/** Half of them for a Resource, half for any: of every weekday and hour, but next year. */
async function makeEntries(db: pg.Pool, count: number) {
  await db.query('delete from waiting_entry')
  await db.query(
    `insert into waiting_entry (provider_id, customer_id, product_id, resource_ids, channel_key, from_date, to_date, wish, state)
     select customer.provider_id, customer.id, product.id, case when n % 2 = 0 then array[resource.id] end, 'RESOURCE_PUBLIC',
       current_date + 200 + n % 100, current_date + 214 + n % 100, n::text, 'WAITING'
     from generate_series(1, $1::int) as n, (select * from customer limit 1) as customer, (select id from product limit 1) as product,
       (select id from resource limit 1) as resource`,
    [count],
  )
  await db.query('vacuum analyze waiting_entry')
}
