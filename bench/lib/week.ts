import { inParallel, makePractice, makeTimeslots, post, type Seeded } from './seed.ts'
import type { Running } from './service.ts'

// A busy practice: 40 Resources, a week of Timeslots, 2,000 Appointments with one participant each.

export const rooms = 40
const perRoom = 50

/** Next week, from Monday. */
export function nextWeek(): string[] {
  const now = new Date()
  const monday = now.getTime() + (8 - (now.getUTCDay() || 7)) * 86_400_000
  return Array.from({ length: 7 }, (_, index) =>
    new Date(monday + index * 86_400_000).toISOString().slice(0, 10),
  )
}

export async function fillWeek(service: Running): Promise<Seeded> {
  const seeded = { ...(await makePractice(service, rooms, 1)), days: nextWeek() }
  await makeTimeslots(service, seeded)
  const bookings = seeded.resources.flatMap(({ reference }, room) =>
    Array.from({ length: perRoom }, (_, index) => ({ reference, room, index })),
  )
  await inParallel(bookings, 8, ({ reference, room, index }) => book(service, seeded, reference, room, index))
  return seeded
}

/** Half an hour each, spread over seven days of ten hours so that none overlap. */
function book(
  service: Running,
  { path, product, days }: Seeded,
  resource: string,
  room: number,
  index: number,
) {
  const day = days[index % 7]!
  const slot = (Math.floor(index / 7) * 2 + (room % 4)) % 20
  const at = (half: number) =>
    `${day}T${String(8 + Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`
  return post(service, `${path}/appointments`, {
    reference: `${room}-${index}@week`,
    resourceReference: resource,
    productReference: product.reference,
    capacity: 1,
    start: at(slot),
    end: at(slot + 1),
    participations: [
      {
        reference: `p-${room}-${index}@week`,
        name: names[(room + index) % names.length],
        email: `c${index}@example.org`,
        state: 'BOOKED',
      },
    ],
  })
}

const names = ['Ann Winter', 'Ben Sommer', 'Cleo Herbst', 'Dan Lenz', 'Eve Hagel', 'Finn Regen', 'Gil Nebel']
