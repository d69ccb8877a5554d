import { compare } from '../lib/compare.ts'
import { expectOnly, type Load } from '../lib/load.ts'
import { atMost, type Row } from '../lib/report.ts'
import {
  askConsole,
  bookDaily,
  bookedTimes,
  daysFromTomorrow,
  listPath,
  makePractice,
  makeTimeslots,
  type Seeded,
} from '../lib/seed.ts'
import type { Running } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { requestText } from '../load/connection.ts'

// The cost of closures and opening hours for an uncached list, one request at a time. Three rooms show the
// same slots: Timeslots of the CRM; the same with 50 closures at night, which remove nothing; Timeslots
// created by opening hours. Two more show sixteen times as many days, like the growth bench, without and with
// closures.

export const closures = (): Promise<Row[]> =>
  onStage(
    async ({ service, load }) => {
      const seeded = await furnish(service)
      const cost = costOf(load, service, seeded)
      return [
        atMost('list with 50 closures', 'ms', await compare(cost(1), cost(0)), 1.1),
        atMost('list of hours-made Timeslots', 'ms', await compare(cost(2), cost(0)), 1.1),
        atMost('list of x16 days with 50 closures', 'ms', await compare(cost(4), cost(3)), 1.1),
      ]
    },
    { env: { LIST_CACHE_MB: '0' }, data: 'none' },
  )

const costOf =
  (load: Load, { port }: Running, { resources }: Seeded) =>
  (room: number) =>
  async () => {
    const requests = [requestText('GET', listPath(resources[room]!.uuid))]
    const work = { kind: 'cycle' as const, requests }
    return expectOnly(await load.run({ port, connections: 1, seconds: 2, work }), 200).p50
  }

async function furnish(service: Running): Promise<Seeded> {
  const seeded = await makePractice(service, 5, 28)
  const [plain, closed, byHours, long, longClosed] = seeded.resources
  const longDays = daysFromTomorrow(16 * 28)
  await makeTimeslots(service, { ...seeded, resources: [plain!, closed!] })
  await makeTimeslots(service, { ...seeded, resources: [long!, longClosed!], days: longDays })
  await askConsole(service, 'PUT', `/resources/${byHours!.uuid}/hours`, {
    hoursWeeks: 5,
    rules: [
      {
        weekdays: ['1', '2', '3', '4', '5', '6', '7'],
        from: '08:00',
        to: '18:00',
        raster: 30,
        validFrom: seeded.days[0],
        validUntil: seeded.days.at(-1),
      },
    ],
  })
  await closeNights(service, closed!.uuid, daysFromTomorrow(50))
  await closeNights(
    service,
    longClosed!.uuid,
    longDays.filter((_, index) => index % 9 === 0),
  )
  for (const [index, { reference }] of seeded.resources.entries())
    for (const time of bookedTimes)
      await bookDaily(service, seeded, reference, time, index < 3 ? seeded.days : longDays)
  return seeded
}

async function closeNights(service: Running, resource: string, days: string[]) {
  for (const day of days)
    await askConsole(service, 'POST', `/resources/${resource}/blocks`, {
      from: `${day}T01:00`,
      to: `${day}T02:00`,
      reason: 'Night',
    })
}
