import { setTimeout as pause } from 'node:timers/promises'
import { book } from '../lib/booking.ts'
import { spread } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots } from '../lib/seed.ts'
import { withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { openStreams, type Streams } from '../lib/streams.ts'
import { busyMs, busySince } from '../lib/usage.ts'

const [many, few] = [2000, 200]
const bookings = 8
/** Changes are sent together after a moment. */
const untilSentMs = 1000
/** Longer than a heartbeat. */
const idleSeconds = 30
const [mostMicroseconds, mostPercent] = [20, 2]

/** Calendars that are open in the console: what each of them adds to a booking, and what all cost while nothing happens. */
export const consoles = (): Promise<Row[]> =>
  onStage(
    async stage => {
      const slots = await freeSlots(stage.service, stage.seeded)
      // Compiles the service's code.
      await ofBookings(stage, slots)
      const alone = { booking: await ofBookings(stage, slots), idle: await whileIdle(stage) }
      const rows = [
        reported('a booking, no console open', `${alone.booking.toFixed(1)} ms of CPU`),
        reported('idle, no console open', `${alone.idle.toFixed(2)} % of a core`),
      ]
      const small = await withConsoles(stage, slots, few)
      const large = await withConsoles(stage, slots, many)
      const each = ((large.booking - small.booking) / (many - few)) * 1000
      return [
        ...rows,
        reported(`a booking, ${few} consoles open`, textOf(small)),
        {
          ...reported(
            `a booking, ${many.toLocaleString('en')} consoles open`,
            `${textOf(large)}; each further console ${each.toFixed(0)} µs`,
            `at most ${mostMicroseconds} µs`,
          ),
          reached: each <= mostMicroseconds && large.messages >= 1,
        },
        {
          ...reported(
            `idle, ${many.toLocaleString('en')} consoles open`,
            `${large.idle.toFixed(2)} % of a core`,
            `at most ${mostPercent} %`,
          ),
          reached: large.idle <= mostPercent,
        },
      ]
    },
    { args: ['--without-jobs'] },
  )

type Cost = { booking: number; messages: number; idle: number }

const textOf = ({ booking, messages }: Cost) =>
  `${booking.toFixed(1)} ms of CPU, ${messages.toFixed(1)} messages each`

async function withConsoles(stage: Stage, slots: FreeSlot[], count: number): Promise<Cost> {
  progress(`  ${count} consoles`)
  const streams = await open(stage, count)
  try {
    await ofBookings(stage, slots)
    const before = streams.messages()
    const booking = await ofBookings(stage, slots)
    const messages = (streams.messages() - before) / count / bookings
    return { booking, messages, idle: await whileIdle(stage) }
  } finally {
    streams.close()
    await pause(1000)
  }
}

/** All show the week of the same Provider, the most expensive case. */
async function open({ service, seeded }: Stage, count: number): Promise<Streams> {
  const provider = await withSql(service, async client => {
    const { rows } = await client.query('select uuid from provider where reference = $1', [seeded.provider])
    return rows[0].uuid as string
  })
  const days = `from=${seeded.days[0]}&to=${seeded.days[7]}`
  const path = `/console/api/providers/${provider}/changes?stream=true&${days}`
  return openStreams(
    service,
    Array.from({ length: count }, () => path),
  )
}

/** The CPU of a booking and of everything that it sends to consoles. */
async function ofBookings({ service }: Stage, slots: FreeSlot[]): Promise<number> {
  const used: number[] = []
  for (let time = 0; time < bookings; time++) {
    const before = busyMs(service.pid)
    await book(service, slots.shift()!)
    await pause(untilSentMs)
    used.push(busySince(service.pid, before))
  }
  return spread(used).median
}

async function whileIdle({ service }: Stage): Promise<number> {
  const before = busyMs(service.pid)
  await pause(idleSeconds * 1000)
  return busySince(service.pid, before) / idleSeconds / 10
}
