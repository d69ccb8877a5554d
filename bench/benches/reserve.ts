import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots } from '../lib/seed.ts'
import { onStage } from '../lib/stage.ts'
import { cpuMs } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'

const seconds = 2

/** Random free slots, none of them twice; then whole bookings, with their mails queued. */
export const reserve = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load, bare }) => {
    const slots = await freeSlots(service, seeded)
    const limit = await bare('insert', service.database)
    // Each side has its own list of slots and takes the next ones in every round.
    const next = <T>(items: T[]) => {
      let at = 0
      return {
        some: (count: number) => items.slice(at, at + count),
        used(count: number) {
          at += count
        },
      }
    }
    const holds = next(slots.slice(0, slots.length / 2).map(holdRequest))
    const pairs = next(slots.slice(slots.length / 2).map(pairRequests))
    const inserts = next(slots.map(holdRequest))
    let cpu = { own: 0, below: 0, count: 0 }

    const reserving = async () => {
      const work = { kind: 'once' as const, requests: holds.some(6000) }
      const before = cpuMs(service.pid)
      const outcome = expectOnly(await load.run({ port: service.port, connections: 16, seconds, work }), 200)
      const after = cpuMs(service.pid)
      cpu = {
        own: cpu.own + after.own - before.own,
        below: cpu.below + after.below - before.below,
        count: cpu.count + outcome.count,
      }
      holds.used(outcome.used)
      return outcome.perSecond
    }
    const pairing = async () => {
      const work = { kind: 'pairs' as const, pairs: pairs.some(6000) }
      const outcome = expectOnly(await load.run({ port: service.port, connections: 16, seconds, work }), 201)
      pairs.used(outcome.used)
      return outcome.perSecond
    }
    const inserting = async () => {
      const work = { kind: 'once' as const, requests: inserts.some(12_000) }
      const outcome = expectOnly(
        await load.run({ port: limit.port, connections: 16, seconds: seconds / 2, work }),
        200,
      )
      inserts.used(outcome.used)
      return outcome.perSecond
    }
    const reserved = await compare(reserving, inserting, 3)
    const perReserve = `CPU a reserve: service ${(cpu.own / cpu.count).toFixed(2)} ms, PostgreSQL ${(cpu.below / cpu.count).toFixed(2)} ms`
    const paired = await compare(pairing, inserting, 3)
    return [
      atLeast('reserve, random free slots', 'bookings/s', reserved, 0.4),
      reported('reserve', perReserve),
      atLeast('reserve + complete, mails queued', 'pairs/s', paired, 0.15),
    ]
  })

const at = (resource: string, verb: string) => `/resources/${resource}/${verb}`
const utc = (text: string) => new Date(text).toISOString()

export function holdRequest({ resource, start, end, timeslot_uuid, product_uuid }: FreeSlot): string {
  const body = { timeslot_uuid, product_uuid, from: utc(start), to: utc(end) }
  return requestText('POST', at(resource, 'reserve_appointment'), {}, body)
}

export function pairRequests(slot: FreeSlot, index: number) {
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
  }
  return {
    reserve: holdRequest(slot),
    complete: requestText('POST', at(resource, 'create_appointment_with_consumer'), {}, body),
  }
}
