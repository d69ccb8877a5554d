// Clients that book one after the other, and retry until they get a definite response.

import { setTimeout as pause } from 'node:timers/promises'
import { asIntegrator, makePractice, providerPath } from '../../src/torture/seed.ts'

export type Promised = { email: string; at: number }

export type Crowd = {
  /** Every confirmed booking, in the order of the responses. */
  promised: Promised[]
  /** Number of responses by status; `cut off` counts requests without one. */
  answers: Record<string, number>
  /** Messages of refused bookings. */
  said: string[]
  end(): Promise<void>
}

export type Slot = {
  start: string
  end: string
  timeslot_uuid: string
  product_uuid: string | null
  products: { uuid: string }[]
}

const rooms = ['a', 'b', 'c', 'd'].map(name => ({ reference: `${name}@torture`, capacity: 500 }))

/** Clients are spread over the instances. `extraRooms` are created beside those that they book. */
export async function startCrowd(
  origin: string,
  { others = [] as string[], extraRooms = [] as { reference: string; capacity: number }[] } = {},
): Promise<Crowd> {
  const origins = [origin, ...others]
  await makePractice(origin, [...rooms, ...extraRooms])
  const crowd: Crowd = { promised: [], answers: {}, said: [], end: async () => {} }
  let isOver = false

  async function bookAll(room: string, index: number) {
    const at = `${origins[index % origins.length]}/resources/${room}`
    const days = (await (await fetch(`${at}/upcoming_bookables`)).json()) as Record<string, Slot[]>
    const slots = Object.values(days)
      .flat()
      .filter(one => one.timeslot_uuid)
    for (let count = 0; !isOver; count++)
      await book(at, slots[count % slots.length]!, `${room.split('@')[0]}-${count}@failover.example`)
  }

  async function book(at: string, slot: Slot, email: string) {
    const { start, end, timeslot_uuid, product_uuid, products } = slot
    const placeholder_id = crypto.randomUUID()
    const person = { placeholder_id, email, firstname: 'Ann', lastname: 'Berg' }
    const request = { start, end, timeslot_uuid, product_uuid: product_uuid ?? products[0]!.uuid, ...person }
    while (!isOver) {
      const { status, text } = await post(`${at}/create_appointment_with_consumer`, request)
      crowd.answers[status] = (crowd.answers[status] ?? 0) + 1
      if (status === 201) return void crowd.promised.push({ email, at: Date.now() })
      crowd.said.push(`${status} ${text}`)
      await pause(50)
    }
  }

  const all = Promise.all(rooms.map((room, index) => bookAll(room.reference, index)))
  crowd.end = async () => {
    isOver = true
    await all
  }
  return crowd
}

type Reply = { status: number | 'cut off'; text: string }

export const post = (url: string, body: object): Promise<Reply> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  }).then(
    async response => ({ status: response.status, text: await response.text() }),
    error => ({ status: 'cut off', text: String(error) }),
  )

/** Email addresses that have a place now. */
export async function bookedIn(origin: string): Promise<Set<string>> {
  const response = await fetch(`${origin}${providerPath}/appointments`, { headers: asIntegrator })
  const all = (await response.json()) as { participations: { email: string; state: string }[] }[]
  const booked = all.flatMap(one => one.participations.filter(({ state }) => state === 'BOOKED'))
  return new Set(booked.map(({ email }) => email))
}
