import { compare, withSpread } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots, listPath, seed } from '../lib/seed.ts'
import { startService } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { requestText } from '../load/connection.ts'
import { holdRequest } from './reserve.ts'

/** The same load on one process and on two, each with a PostgreSQL of its own, in turns. */
export const processes = (): Promise<Row[]> =>
  onStage(async ({ service: one, seeded, load }) => {
    const two = await startService({ args: ['--processes', '2'] })
    try {
      const others = await seed(two)
      const lists = (uuids: { uuid: string }[]) =>
        uuids.map(({ uuid }) => requestText('GET', listPath(uuid), { 'accept-encoding': 'br' }))
      const listing = (port: number, requests: string[]) => async () =>
        expectOnly(
          await load.run({ port, connections: 16, seconds: 2, work: { kind: 'cycle', requests } }),
          200,
        ).perSecond
      const listed = await compare(
        listing(two.port, lists(others.resources)),
        listing(one.port, lists(seeded.resources)),
      )
      const holding = (port: number, slots: FreeSlot[]) => async () => {
        const work = { kind: 'once' as const, requests: slots.slice(0, 5000).map(holdRequest) }
        const outcome = expectOnly(await load.run({ port, connections: 16, seconds: 2, work }), 200)
        slots.splice(0, outcome.used)
        return outcome.perSecond
      }
      const held = await compare(
        holding(two.port, await freeSlots(two, others)),
        holding(one.port, await freeSlots(one, seeded)),
        3,
      )
      return [
        reported(
          '2 processes to 1: warm lists',
          `${Math.round(listed.ours.median)} and ${Math.round(listed.limit.median)} lists/s: ${withSpread(listed.ratio)}`,
        ),
        reported(
          '2 processes to 1: reserve',
          `${Math.round(held.ours.median)} and ${Math.round(held.limit.median)} bookings/s: ${withSpread(held.ratio)}`,
        ),
      ]
    } finally {
      await two.stop()
    }
  })
