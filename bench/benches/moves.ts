import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, type Row } from '../lib/report.ts'
import { type FreeSlot, freeSlots, inParallel } from '../lib/seed.ts'
import type { Running } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { requestText } from '../load/connection.ts'
import { bookPairs } from './reserve.ts'

const moved = 4000

/** Consumers move their bookings to free slots by link, compared with booking. */
export const moves = (): Promise<Row[]> =>
  onStage(
    async ({ service, seeded, load }) => {
      const slots = await freeSlots(service, seeded)
      const [from, to, rest] = [slots.slice(0, moved), slots.slice(moved, 2 * moved), slots.slice(2 * moved)]
      const tokens = await inParallel(from, 16, async slot => tokenIn((await book(service, slot)).moveLink))
      const requests = to.map((slot, index) => moveRequest(slot, tokens[index]!))
      let at = 0
      const moving = async () => {
        const work = { kind: 'once' as const, requests: requests.slice(at, at + 2000) }
        const outcome = await load.run({ port: service.port, connections: 16, seconds: 1, work })
        at += outcome.used
        return expectOnly(outcome, 200).perSecond
      }
      const booking = bookPairs(rest, service, load)
      const result = await compare(moving, async () => (await booking()).perSecond, 3)
      return [atLeast('moves by consumers, beside bookings', 'a second', result, 0.8)]
    },
    { args: ['--without-jobs'] },
  )

export const tokenIn = (link: string) => new URL(link).pathname.split('/').at(-1)!

export type Booked = { appointment_uuid: string; moveLink: string; cancelLink: string }

export async function book({ origin }: Running, slot: FreeSlot): Promise<Booked> {
  const { resource, start, end, timeslot_uuid, product_uuid } = slot
  const body = {
    start,
    end,
    timeslot_uuid,
    product_uuid,
    email: `${timeslot_uuid}${start}@example.org`.replaceAll(/[:+]/g, ''),
    firstname: 'Ann',
    lastname: 'W',
  }
  const response = await fetch(`${origin}/resources/${resource}/create_appointment_with_consumer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`book: ${response.status} ${text}`)
  return JSON.parse(text).createdAppointment
}

function moveRequest({ resource, start, end, timeslot_uuid, product_uuid }: FreeSlot, token: string) {
  const headers = { 'x-signed-app-customer': token }
  return requestText('POST', `/resources/${resource}/move_appointment`, headers, {
    start,
    end,
    timeslot_uuid,
    product_uuid,
  })
}
