import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { compare } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { freeSlots, post } from '../lib/seed.ts'
import { type Running, withSql } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { bookPairs } from './reserve.ts'

// Bookings while 5,000 busy times of an external calendar are imported for one of the booked Resources,
// compared with bookings alone. The import starts with the bookings; its busy times are later than theirs.

const spans = 5_000

export const calendarImport = (): Promise<Row[]> =>
  onStage(
    async ({ service, seeded, load }) => {
      const calendar = await startCalendar()
      try {
        const path = `${seeded.path}/resources/${encodeURIComponent(seeded.resources[0]!.reference)}/calendar_sources`
        const { source } = await post(service, path, { kind: 'ics', address: calendar.url })
        await imported(service, 0)
        const booking = bookPairs(await freeSlots(service, seeded), service, load)
        const durations: number[] = []
        const importing = async (count: number) => {
          calendar.count = count
          const begun = performance.now()
          await post(service, `${path}/${source.uuid}/refresh`, {})
          await imported(service, count)
          return performance.now() - begun
        }
        const beside = async () => {
          const [{ perSecond }, ms] = await Promise.all([booking(), importing(spans)])
          durations.push(ms)
          progress(`  imported in ${ms.toFixed(0)} ms, removed in ${(await importing(0)).toFixed(0)} ms`)
          return perSecond
        }
        const result = await compare(beside, async () => (await booking()).perSecond, 7)
        const [fast, slow] = [Math.min(...durations), Math.max(...durations)]
        return [
          atLeast('bookings while 5,000 busy times are imported', 'a second', result, 0.9),
          reported(
            'import of 5,000 busy times, from the button to the commit',
            `${fast.toFixed(0)} to ${slow.toFixed(0)} ms`,
          ),
        ]
      } finally {
        calendar.close()
      }
    },
    { env: { WEBHOOK_ALLOW_PRIVATE: '1' } },
  )

/** Serves as many entries as `count` says, an hour apart, from a month ahead. */
async function startCalendar() {
  const first = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 35 * 86_400_000
  const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
  const entries = Array.from({ length: spans }, (_, index) => {
    const from = first + index * 3_600_000
    return `BEGIN:VEVENT\r\nUID:${index}@bench\r\nDTSTART:${stamp(from)}\r\nDTEND:${stamp(from + 1_800_000)}\r\nSUMMARY:Busy\r\nEND:VEVENT\r\n`
  })
  const calendar = { url: '', count: 0, close: () => void server.close() }
  const server = createServer((_, response) => {
    const body = entries.slice(0, calendar.count).join('')
    response.setHeader('content-type', 'text/calendar')
    response.end(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${body}END:VCALENDAR\r\n`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  calendar.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bench.ics`
  return calendar
}

const imported = (service: Running, count: number) =>
  withSql(service, async client => {
    const look = `select (select count(*)::int from busy_span) = $1 and bool_and(next_at > now()) as done from calendar_check`
    while (!(await client.query(look, [count])).rows[0].done) await pause(20)
  })
