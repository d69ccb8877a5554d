// Two references generated in the same moment collide once in two billion times. The retry must go unnoticed.

import { expect, it, vi } from 'vitest'

const made = vi.hoisted(() => ({ count: 0, alike: -1 }))
vi.mock('../../src/lib/ordered-reference.ts', async original => {
  const real = await original<typeof import('../../src/lib/ordered-reference.ts')>()
  const orderedReference = () =>
    made.count++ === made.alike ? 'mi3x7k2pa8q4zd@consumer' : real.orderedReference()
  return { ...real, orderedReference }
})

const { makePractice } = await import('../support/build.ts')
const { asConsumer, bookingOf, holdOf, overApp } = await import('../support/consumer.ts')
const { roomsOf } = await import('../support/rooms.ts')
const { useService } = await import('../support/service.ts')

const holdfast = await useService({ RATE_LIMIT_PUBLIC: '0' })
const consumer = asConsumer(overApp(holdfast.app))
const practice = await makePractice(holdfast.crm)
const { roomWith, slots } = roomsOf(() => ({ holdfast, practice, consumer }))

/** The nth reference that this request generates is already taken. */
const alike = async (nth: number, ask: () => Promise<{ status: number }>) => {
  Object.assign(made, { count: 0, alike: nth })
  return (await ask()).status
}

it.each([0, 1])('generates reference %i of a hold or a booking again', async nth => {
  const { resourceUuid, ...room } = await roomWith()
  const [one, two, three, four] = await slots({ resourceUuid, ...room })
  const reserve = (slot: typeof one) => alike(nth, () => consumer.reserve(resourceUuid, holdOf(slot!)))
  expect(await reserve(one)).toBe(200)
  expect(await reserve(two)).toBe(200)
  expect(await reserve(three)).toBe(200)
  expect(await alike(nth, () => consumer.complete(resourceUuid, bookingOf(four!)))).toBe(201)
})
