import { compare } from '../lib/compare.ts'
import { type Row, reported } from '../lib/report.ts'
import { makePractice, post } from '../lib/seed.ts'
import { withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'

// A calendar feed that programs fetch every few minutes: ten thousand entries over HTTP, compared with a
// server that sends the same bytes from memory; and the cost if nothing has changed.

const entries = 10_000
const longest = 300
const longestUnchanged = 10

export const feed = (): Promise<Row[]> =>
  onStage(
    async ({ service, bare }) => {
      const { path } = await makePractice(service, 4, 0)
      await withSql(service, client => client.query(crowd, [entries]))
      const { url } = await post(service, `${path}/calendars`, { names: true })
      const address = new URL(new URL(url as string).pathname, service.origin)
      const first = await fetch(address)
      const body = Buffer.from(await first.arrayBuffer())
      if (body.toString().split('BEGIN:VEVENT').length - 1 !== entries)
        throw new Error('The calendar is not whole.')
      const same = await bare(
        'bytes',
        new Map([['/', { body, headers: { 'content-type': 'text/calendar' } }]]),
      )
      const etag = first.headers.get('etag')!
      const whole = await compare(
        timed(address, {}, 200),
        timed(new URL(`http://127.0.0.1:${same.port}/`), {}, 200),
      )
      const unchanged = timed(address, { 'if-none-match': etag }, 304)
      await unchanged()
      const ms = Math.max(...[await unchanged(), await unchanged(), await unchanged()])
      return [
        row(
          `calendar of ${entries.toLocaleString('en')} entries`,
          whole.ours.median,
          whole.limit.median,
          longest,
        ),
        row('the same, unchanged (304), slowest of three', ms, null, longestUnchanged),
      ]
    },
    { data: 'none' },
  )

const row = (bench: string, ours: number, limit: number | null, most: number): Row => ({
  ...reported(bench, `${ours.toFixed(1)} ms`, `under ${most} ms`),
  limit: limit === null ? '' : `${limit.toFixed(1)} ms`,
  reached: ours < most,
})

const timed = (address: URL, headers: Record<string, string>, status: number) => async () => {
  const begun = performance.now()
  const response = await fetch(address, { headers })
  await response.arrayBuffer()
  if (response.status !== status) throw new Error(`${response.status} instead of ${status}`)
  return performance.now() - begun
}

/** Half-hour bookings, back to back, at four Resources. */
const crowd = `
  with made as (
    insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from,
      blocked_to, capacity, accept_bookings)
    select resource.provider_id, resource.id, (select min(id) from product), 'feed-' || number, 'provider', at,
      at + interval '30 minutes', at, at + interval '30 minutes', 1, false
    from (select *, row_number() over (order by id) - 1 as turn from resource) as resource
    join generate_series(0, $1::int - 1) as number on number % 4 = turn
    cross join lateral (select date_trunc('hour', now()) + number / 4 * interval '30 minutes' as at) as time
    returning id, provider_id
  )
  insert into participation (provider_id, appointment_id, reference, name, email, state)
  select provider_id, id, 'p-' || id, 'Ann Winter ' || id, 'ann' || id || '@example.org', 'BOOKED' from made`
