// A cached list is patched where something changed. After any change, on any instance, it must equal a list built from
// scratch.

import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { bumpRevision } from '../../src/db/base/ledger.ts'
import { NearbyReader } from '../../src/db/booking/nearby.ts'
import { changedRangesSince } from '../../src/rules/offers/changed-ranges.ts'
import { makePractice, makeTimeslot, setClock } from '../support/build.ts'
import { asConsumer, overApp, overHttp, type Query, startsOf } from '../support/consumer.ts'
import { useSecondInstance } from '../support/instances.ts'
import { useService } from '../support/service.ts'
import { makeShop, type Shop, verbs } from '../support/shop.ts'

vi.setConfig({ testTimeout: 60_000 })

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0', RETENTION_CUSTOMER_MONTHS: '1' })
// One instance is called over a socket, so that cached lists are served before Fastify.
const origin = await holdfast.app.listen({ host: '127.0.0.1', port: 0 })
const known = [overHttp(origin), overApp(await useSecondInstance(holdfast))].map(send => asConsumer(send))
const config = { ...holdfast.service.config, listCacheMegabytes: 0 }
const forgetful = asConsumer(overApp(await useSecondInstance(holdfast, { config })))

/** Plain lists, one with repeating groups, one of two Resources, one of a Product, and two of a period. */
const questions = ({ practice, room, local, dateOf }: Shop): [string, Query][] => [
  [practice.resource, {}],
  [practice.resource, { groupFormat: 'HH', languageTag: 'fr' }],
  [practice.resourceUuid, { ref: [room.resource] }],
  [practice.resource, { prdRef: practice.productUuid }],
  [practice.resource, { from: dateOf(1), to: local(2, 23, 30) }],
  [room.resourceUuid, { from: local(0, 9, 10), to: local(4, 10, 50), channelKey: 'CALENDAR_PUBLIC' }],
]

type Step = { name: string; pick: number; by: number }

async function runSteps(firstDay: string, sequence: Step[]) {
  setClock(holdfast, new Date(Date.parse(`${firstDay}T00:00Z`) - 7_200_000).toISOString())
  const shop = await makeShop(holdfast, firstDay)
  for (const { name, pick, by } of sequence) {
    await verbs[name]!(shop, pick, known[by]!)
    for (const [ref, query] of questions(shop)) {
      // In this order, because the later list would differ if the clock passed a slot in between.
      const [one, two] = [await known[0]!.list(ref, query), await known[1]!.list(ref, query)]
      const rebuilt = await forgetful.list(ref, query)
      expect([name, one.text, one.headers.etag]).toEqual([name, rebuilt.text, rebuilt.headers.etag])
      expect([name, two.text, two.headers.etag]).toEqual([name, rebuilt.text, rebuilt.headers.etag])
    }
  }
}

/** A winter week, and one in which the clocks go forward. */
const firstDays = ['2030-01-07', '2030-03-29']

const steps = (count: number) => {
  const name = fc.constantFrom(...Object.keys(verbs))
  const step = fc.record({ name, pick: fc.nat({ max: 100 }), by: fc.nat({ max: 1 }) })
  return fc.array(step, { minLength: count / 2, maxLength: count })
}

/** Bookings first, so that every other verb finds something to do. */
const everyVerb = ['hold', 'book', 'book', 'hold', ...Object.keys(verbs), 'hold', 'time passes', 'book'].map(
  (name, index) => ({ name, pick: 3 * index, by: index % 2 }),
)

it('equals a list built from scratch, after any change and on every instance', async () => {
  const patched = vi.spyOn(NearbyReader.prototype, 'read')
  await fc.assert(fc.asyncProperty(fc.constantFrom(...firstDays), steps(12), runSteps), {
    numRuns: 4,
    examples: [[firstDays[0]!, everyVerb]],
    endOnFailure: true,
  })
  expect(patched.mock.calls.length).toBeGreaterThan(20)
})

it('is dropped after a restore, when the database assigns the same revisions again', async () => {
  setClock(holdfast, '2030-01-06T22:00:00Z')
  const practice = await makePractice(holdfast.crm)
  const { reference } = await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T09:00' })
  const list = async () => startsOf(await known[0]!.list(practice.resourceUuid))
  expect(await list()).toHaveLength(2)
  // As if a backup had been restored, and as many other changes been made since as had been lost.
  const end = "timestamptz '2030-01-07T10:00+01:00'"
  await holdfast.query(`update timeslot set end_at = ${end} where reference = $1`, [reference])
  expect(await list()).toHaveLength(2)
  const { db } = holdfast.service.refs
  const ask = db.query
  vi.spyOn(db, 'query').mockImplementation(async statement => {
    const rows = await ask<object>(statement)
    return rows.map(row => ('history' in row ? { ...row, history: 'another' } : row)) as never
  })
  expect(await list()).toHaveLength(4)
})

it('changed ranges are stored newest first, eight characters each, up to a limit', async () => {
  const { resourceUuid } = await makePractice(holdfast.crm)
  const read = async () =>
    (await holdfast.query('select id, revision, touched from resource where uuid = $1', [resourceUuid]))[0]
  let before = await read()
  for (let count = 0; count < 30; count++) {
    const span = { from: (29_000_000 + count) * 60_000, to: (29_000_030 + count) * 60_000 }
    await holdfast.service.db.transaction(tx =>
      bumpRevision(tx, [{ resourceId: Number(before.id), ...span }]),
    )
    const after = await read()
    const cut = after.touched.length < before.touched.length
    expect(after.touched.slice(after.touched.indexOf(';') + 1)).toBe(
      cut ? before.touched.slice(0, 120) : before.touched,
    )
    expect((after.touched.indexOf(';') + 1) % 8).toBe(0)
    expect(after.touched.length).toBeLessThanOrEqual(240)
    const [since, revision] = [Number(after.revision) - Math.min(count + 1, 4), Number(after.revision)]
    expect(changedRangesSince(after.touched, since, revision)).toHaveLength(revision - since)
    before = after
  }
})
