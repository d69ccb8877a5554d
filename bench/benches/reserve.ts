import type { Bare } from '../lib/bare.ts'
import { compare } from '../lib/compare.ts'
import { expectOnly, type Load } from '../lib/load.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots } from '../lib/seed.ts'
import type { Running } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { cpuPer } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'
import type { Outcome } from '../load/plan.ts'

const seconds = 2
const connections = 16

/** Random free slots, each used once. */
export const reserve = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load, bare }) => {
    const slots = await freeSlots(service, seeded)
    const reserving = holdAll(slots, service, load)
    const inserting = await bareInserts(slots, load, await bare('insert', service.database))
    const reserved = await compare(async () => (await reserving()).perSecond, inserting, 3)
    return [
      atLeast('reserve, random free slots', 'bookings/s', reserved, 0.45),
      reported('CPU a reserve', await cpuPer(service.pid, reserving)),
    ]
  })

/**
 * Whole bookings. First their emails stay in the queue, as if a worker on another machine delivered them;
 * then the same two cores also process the queue, which without a mail server only records that they are
 * kept.
 */
export const pair = async (): Promise<Row[]> => {
  const queued = await pairing(['--without-jobs'])
  const worked = await pairing([])
  return [
    atLeast('reserve + complete, mails queued', 'pairs/s', queued.paired, 0.15),
    reported('CPU a pair', queued.cpu),
    atLeast('and taken out of the queue beside it', 'pairs/s', worked.paired, 0.18),
    reported('CPU a pair with it', worked.cpu),
  ]
}

const pairing = (args: string[]) =>
  onStage(
    async ({ service, seeded, load, bare }) => {
      const slots = await freeSlots(service, seeded)
      const booking = bookPairs(slots, service, load)
      const inserting = await bareInserts(slots, load, await bare('insert', service.database))
      const paired = await compare(async () => (await booking()).perSecond, inserting, 5)
      return { paired, cpu: await cpuPer(service.pid, booking) }
    },
    { args },
  )

/** Holds for two seconds, of slots that no earlier round has taken. */
export function holdAll(slots: FreeSlot[], { port }: Running, load: Load): () => Promise<Outcome> {
  const holds = supply(slots.map(holdRequest))
  return () =>
    holds.use(requests => load.run({ port, connections, seconds, work: { kind: 'once', requests } }), 200)
}

/** Whole bookings for two seconds, of slots that no earlier round has taken. */
export function bookPairs(
  slots: FreeSlot[],
  { port }: Running,
  load: Load,
  fields: (index: number) => object = () => ({}),
): () => Promise<Outcome> {
  const pairs = supply(slots.map((slot, index) => pairRequests(slot, index, fields(index))))
  return () =>
    pairs.use(some => load.run({ port, connections, seconds, work: { kind: 'pairs', pairs: some } }), 201)
}

/**
 * Bookings per second of the bare program. It accepts any time, and needs more times than there are slots.
 */
async function bareInserts(slots: FreeSlot[], load: Load, { port }: Bare) {
  const inserts = supply([0, 1, 2].flatMap(years => slots.map(slot => holdRequest(later(slot, years)))))
  const run = (requests: string[]) =>
    load.run({ port, connections, seconds: seconds / 2, work: { kind: 'once', requests } })
  return async () => (await inserts.use(run, 200)).perSecond
}

/** Each round takes items that no earlier round has taken. */
function supply<T>(items: T[]) {
  let at = 0
  return {
    async use(run: (some: T[]) => Promise<Outcome>, status: number): Promise<Outcome> {
      const outcome = expectOnly(await run(items.slice(at, at + 10_000)), status)
      at += outcome.used
      if (outcome.used === 0) throw new Error('All slots are taken: seed more.')
      return outcome
    },
  }
}

const later = ({ start, end, ...slot }: FreeSlot, years: number): FreeSlot => ({
  ...slot,
  start: inYears(start, years),
  end: inYears(end, years),
})
const inYears = (text: string, years: number) =>
  new Date(Date.parse(text) + years * 365 * 86_400_000).toISOString()

const at = (resource: string, verb: string) => `/resources/${resource}/${verb}`
const utc = (text: string) => new Date(text).toISOString()

export function holdRequest({ resource, start, end, timeslot_uuid, product_uuid }: FreeSlot): string {
  const body = { timeslot_uuid, product_uuid, from: utc(start), to: utc(end) }
  return requestText('POST', at(resource, 'reserve_appointment'), {}, body)
}

export function pairRequests(slot: FreeSlot, index: number, fields: object = {}) {
  const { resource, start, end, timeslot_uuid, product_uuid } = slot
  const body = {
    start,
    end,
    timeslot_uuid,
    product_uuid,
    placeholder_id: 'PLACEHOLDER'.padEnd(36, '_'),
    email: `person${index}@example.org`,
    firstname: 'Ann',
    lastname: `Winter${index}`,
    ...fields,
  }
  return {
    reserve: holdRequest(slot),
    complete: requestText('POST', at(resource, 'create_appointment_with_consumer'), {}, body),
  }
}
