import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { findNextInLine, findWanted, type OfferedSlot } from '../../src/db/scheduling/waiting-takers.ts'
import { makeCustomer, makePractice } from '../support/build.ts'
import { nextInLine } from '../support/next-in-line.ts'
import { useService } from '../support/service.ts'

// The statement that decides who is next, against the simple model of it.

const holdfast = await useService()
const { pool } = holdfast.service.db
const practice = await makePractice(holdfast.crm)
for (let one = 0; one < 6; one++) await makeCustomer(holdfast.crm, practice, { email: `p${one}@example.org` })
const ids = async (text: string) => (await pool.query<{ id: string }>(text)).rows.map(row => Number(row.id))
const [providerId] = (await ids(`select id from provider where uuid = '${practice.uuid}'`)) as [number]
const [resourceId] = (await ids(`select id from resource where uuid = '${practice.resourceUuid}'`)) as [
  number,
]
const [productId] = (await ids(`select id from product where uuid = '${practice.productUuid}'`)) as [number]
const customers = await ids(`select id from customer where provider_id = ${providerId} order by id`)

const dates = ['2030-01-07', '2030-01-08', '2030-01-09', '2030-01-10']
const anEntry = fc.record({
  resourceIds: fc.constantFrom<number[] | null>(null, [resourceId], [resourceId + 1]),
  period: fc.tuple(fc.nat(3), fc.nat(3)),
  weekdays: fc.integer({ min: 1, max: 15 }),
  hours: fc.constantFrom<number[]>([0, 1440], [480, 720], [720, 1080], [720, 1440], [720, 1439]),
  priority: fc.nat(2),
  since: fc.nat(3),
  offered: fc.option(fc.nat(3), { nil: null }),
})
const aSlot = fc.record({ day: fc.nat(3), hour: fc.constantFrom(8, 11, 12, 17, 23) })

it('chooses whom the model chooses', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anEntry, { minLength: 1, maxLength: 6 }),
      fc.uniqueArray(aSlot, { minLength: 1, maxLength: 4, selector: one => `${one.day} ${one.hour}` }),
      async (wishes, times) => {
        const slots = times.map(({ day, hour }, position): OfferedSlot => {
          const start = Date.parse(`${dates[day]}T${String(hour).padStart(2, '0')}:00:00Z`)
          return {
            position,
            productId,
            resourceId,
            channelKey: 'RESOURCE_PUBLIC',
            start,
            end: start + (hour === 23 ? 5_400_000 : 3_600_000),
            expiresAt: start,
            date: dates[day]!,
            weekdayBit: 1 << day,
            fromMinute: hour * 60,
            // The last one ends after midnight.
            toMinute: hour * 60 + (hour === 23 ? 90 : 60),
          }
        })
        await pool.query('delete from waiting_entry')
        const entries = []
        for (const [index, wish] of wishes.entries()) {
          const [from, to] = wish.period.toSorted((a, b) => a - b)
          const { rows } = await pool.query(
            `insert into waiting_entry (provider_id, customer_id, product_id, resource_ids, channel_key, from_date, to_date,
               weekdays, from_minute, to_minute, priority, since, wish, state)
             values ($1, $2, $3, $4, 'RESOURCE_PUBLIC', $5, $6, $7, $8, $9, $10, to_timestamp($11), $12, 'WAITING') returning id`,
            [
              providerId,
              customers[index],
              productId,
              wish.resourceIds,
              dates[from!],
              dates[to!],
              wish.weekdays,
              wish.hours[0],
              wish.hours[1],
              wish.priority,
              wish.since,
              `${index}`,
            ],
          )
          const id = Number(rows[0].id)
          const before = wish.offered === null ? undefined : slots[wish.offered]
          if (before)
            await pool.query(
              `insert into waiting_offer (provider_id, entry_id, customer_id, placeholder, resource_id, start_at, end_at, expires_at, outcome)
               values ($1, $2, $3, gen_random_uuid(), $4, $5, $5, $5, 'DECLINED')`,
              [providerId, id, customers[index], resourceId, new Date(before.start)],
            )
          entries.push({
            id,
            productId,
            resourceIds: wish.resourceIds,
            fromDate: dates[from!]!,
            toDate: dates[to!]!,
            weekdays: wish.weekdays,
            fromMinute: wish.hours[0]!,
            toMinute: wish.hours[1]!,
            priority: wish.priority,
            since: wish.since,
            before: null,
            offered: before ? [{ resourceId, start: before.start }] : [],
          })
        }
        const next = await findNextInLine(holdfast.service.db, providerId, slots, [])
        const byKeys = await findWanted(holdfast.service.db, providerId, slots, [], 0)
        const model = nextInLine(entries, slots)
        const expected = model && [model.entry.id, model.slot.position]
        expect(next && [next.entryId, next.position]).toEqual(expected)
        expect(byKeys && [byKeys.entryId, byKeys.position]).toEqual(expected)
      },
    ),
    { numRuns: 60 },
  )
})

const start = Date.parse('2030-05-15T08:00:00Z')
const slot: OfferedSlot = {
  position: 0,
  productId,
  resourceId,
  channelKey: 'RESOURCE_PUBLIC',
  start,
  end: start + 3_600_000,
  expiresAt: start,
  date: '2030-05-15',
  weekdayBit: 4,
  fromMinute: 600,
  toMinute: 660,
}

describe('with 10,000 entries', () => {
  beforeAll(async () => {
    await pool.query('delete from waiting_entry')
    await pool.query(
      `insert into waiting_entry (provider_id, customer_id, product_id, resource_ids, channel_key, from_date, to_date, wish, state,
         weekdays, from_minute, to_minute, since)
       select $1, $2, $3, case when n % 2 = 0 then array[$4::bigint] end, 'RESOURCE_PUBLIC', date '2030-01-01' + n % 300,
         date '2030-01-01' + n % 300 + 13, n::text, 'WAITING', case when n % 3 = 0 then 127 else 7 end,
         case when n % 5 = 0 then 480 else 0 end, case when n % 5 = 0 then 720 else 1440 end, now() - n * interval '1 minute'
       from generate_series(1, 10000) as n`,
      [providerId, customers[0], productId, resourceId],
    )
    await pool.query('analyze waiting_entry')
  })

  it.each([
    ['the next one', {}, true],
    ['no match on a day', { date: '2032-01-01' }, false],
    ['no match on a weekday', { date: '2031-05-15', weekdayBit: 64 }, false],
    ['no match for another Product', { productId: productId + 1 }, false],
    ['no match, but on the day itself', { fromMinute: -1, toMinute: 60 }, false],
  ] as const)('finds %s in 2 ms or so', async (name, change, isFound) => {
    const wanted = { ...slot, ...change }
    expect((await findNextInLine(holdfast.service.db, providerId, [wanted], [])) !== null).toBe(isFound)
    let fastest = Number.POSITIVE_INFINITY
    for (let run = 0; run < 20; run++) {
      const before = performance.now()
      await findWanted(holdfast.service.db, providerId, [wanted])
      fastest = Math.min(fastest, performance.now() - before)
    }
    if (process.env.TIMES) console.log(name, fastest.toFixed(2))
    // With the round trip, on a machine that may be busy.
    expect(fastest).toBeLessThan(50)
  })
})
