import type { FreeSlot } from './seed.ts'
import type { Running } from './service.ts'

// One visitor's call, as the widget makes it.

async function send({ origin }: Running, path: string, body: object) {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = JSON.parse(await response.text())
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

/** `appointment_uuid`: a place in this group. */
type Wanted = FreeSlot & { appointment_uuid?: string }

export const hold = (service: Running, { resource, start, end, ...ids }: Wanted) =>
  send(service, `/resources/${resource}/reserve_appointment`, {
    ...ids,
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
  })

const visitors = new Map<number, number>()

/** Numbered per service, so that runs on several services are equal. */
function nextVisitor({ port }: Running): number {
  const number = visitors.get(port) ?? 0
  visitors.set(port, number + 1)
  return number
}

export async function book(service: Running, slot: Wanted) {
  const { participation } = await hold(service, slot)
  const { resource, start, end, timeslot_uuid, product_uuid } = slot
  await send(service, `/resources/${resource}/create_appointment_with_consumer`, {
    start,
    end,
    timeslot_uuid,
    product_uuid,
    placeholder_id: participation.customer_uuid,
    email: `visitor${nextVisitor(service)}@example.org`,
    firstname: 'Ann',
    lastname: 'Winter',
  })
}
