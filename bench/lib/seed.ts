import { apiKey, consoleToken, crm, type Running } from './service.ts'

// The data set behind all figures, created through the API like an integrator would: 50 Resources, 28 days of
// 08:00 to 18:00, raster 30: 560 slots each, every fourth of them booked.

export const bookedTimes = ['08:00', '10:00', '12:00', '14:00', '16:00']

export type Seeded = {
  provider: string
  path: string
  product: { reference: string; uuid: string }
  resources: { reference: string; uuid: string }[]
  days: string[]
}

type Options = { resources?: number; days?: number; raster?: number }

export async function seed(service: Running, { resources = 50, days = 28 }: Options = {}): Promise<Seeded> {
  const seeded = await makePractice(service, resources, days)
  await makeTimeslots(service, seeded)
  await inParallel(seeded.resources, 8, async resource => {
    for (const time of bookedTimes) await bookDaily(service, seeded, resource.reference, time)
  })
  return seeded
}

export async function makePractice(service: Running, resources: number, days: number): Promise<Seeded> {
  await post(service, '/user', {
    reference: 'owner@bench',
    email: 'owner@example.org',
    username: 'owner',
    lastName: 'Berg',
  })
  await post(service, '/account', {
    ownerReference: 'owner@bench',
    accountReference: 'account@bench',
    branch: 'misc',
  })
  await post(service, '/provider', {
    reference: 'provider@bench',
    ownerReference: 'owner@bench',
    accountReference: 'account@bench',
    name: 'Practice',
    email: 'practice@example.org',
  })
  const path = `/provider/${encodeURIComponent('provider@bench')}`
  const { product } = await post(service, `${path}/products`, { reference: 'talk@bench', name: 'Talk' })
  const made = await inParallel(
    Array.from({ length: resources }, (_, index) => index),
    8,
    index =>
      post(service, `${path}/resources`, {
        reference: `room-${index}@bench`,
        publicName: `Room ${index}`,
        internalName: `R${index}`,
      }),
  )
  return { provider: 'provider@bench', path, product, resources: made, days: daysFromTomorrow(days) }
}

/** One Timeslot per day and Resource. */
export async function makeTimeslots(service: Running, { path, resources, days }: Seeded, raster = 30) {
  const timeslots = resources.flatMap(({ reference }) =>
    days.map(day => timeslotBody(reference, day, raster)),
  )
  for (let at = 0; at < timeslots.length; at += 2000)
    await post(service, `${path}/timeslots`, { timeslots: timeslots.slice(at, at + 2000) })
}

export const timeslotBody = (
  resourceReference: string,
  day: string,
  raster = 30,
  hours = ['08:00', '18:00'],
) => ({
  reference: `${resourceReference}-${day}-${hours[0]}`,
  resourceReference,
  start: `${day}T${hours[0]}`,
  end: `${day}T${hours[1]}`,
  raster,
  defaultCapacity: 1,
  defaultAcceptBookings: true,
  state: 'BOOKABLE',
})

/** A booked Appointment at this time on each of the days: one call. */
export function bookDaily(
  service: Running,
  seeded: Seeded,
  resource: string,
  time: string,
  days = seeded.days,
) {
  return post(service, `${seeded.path}/appointments`, {
    resourceReference: resource,
    productReference: seeded.product.reference,
    capacity: 1,
    participations: [{ name: 'Ann Winter', email: 'ann@example.org', state: 'BOOKED' }],
    series_data: {
      from: `${days[0]}T${time}`,
      to: `${days.at(-1)}T${time.slice(0, 3)}30`,
      raster: 30,
      weekdays: ['1', '2', '3', '4', '5', '6', '7'],
    },
  })
}

export function daysFromTomorrow(count: number, offset = 1): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.now() + (index + offset) * 86_400_000).toISOString().slice(0, 10),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, read by the bench that asked
export async function post(service: Running, path: string, body: unknown): Promise<any> {
  const response = await fetch(`${service.origin}/crms/${crm}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-client-id': apiKey },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

export async function askConsole(service: Running, method: string, path: string, body: unknown) {
  const response = await fetch(`${service.origin}/console/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${consoleToken}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`)
}

export async function inParallel<In, Out>(items: In[], width: number, work: (item: In) => Promise<Out>) {
  const results = new Array<Out>(items.length)
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index]!)
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}

export type FreeSlot = {
  resource: string
  start: string
  end: string
  timeslot_uuid: string
  product_uuid: string
}

/** Every free slot of every Resource, always shuffled in the same way. */
export async function freeSlots(service: Running, { resources, product }: Seeded): Promise<FreeSlot[]> {
  const lists = await inParallel(resources, 8, async ({ uuid }) => {
    const body = (await (await fetch(service.origin + listPath(uuid))).json()) as Record<string, FreeSlot[]>
    const slots = Object.values(body).filter(Array.isArray).flat()
    return slots.map(slot => ({ ...slot, resource: uuid, product_uuid: product.uuid }))
  })
  return shuffle(lists.flat())
}

export const listPath = (uuid: string) => `/resources/${uuid}/upcoming_bookables`

function shuffle<T>(items: T[]): T[] {
  let state = 42
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return items
    .map(item => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(one => one.item)
}
