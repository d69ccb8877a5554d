import { book, hold } from '../lib/booking.ts'
import { compare } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { atMost, type Row, reported } from '../lib/report.ts'
import { type FreeSlot, freeSlots, post } from '../lib/seed.ts'
import { apiKey, crm, type Running, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { busyMs, busySince } from '../lib/usage.ts'

const scale = Number(process.env.SCALE ?? 1)
const many = Math.round(5000 * scale)
const few = 50

/** A group Appointment with 5,000 people beside one with 50: booking a place, its event, cancelling it. */
export const largeGroup = (): Promise<Row[]> =>
  onStage(
    async stage => {
      const [large, small] = [await makeGroup(stage, 0, many), await makeGroup(stage, 1, few)]
      await withSql(stage.service, client => client.query('vacuum analyze'))
      const { next } = await readEvents(stage.service, 'now')
      const booking = await compare(cpuOf(stage, large), cpuOf(stage, small))
      const { events } = await readEvents(stage.service, next)
      const bytes = Math.max(...events.map(one => JSON.stringify(one).length))
      const cancelled = await cancelBeside(stage, large)
      return [
        atMost('a place in a large group, beside one in a small', 'ms of CPU', booking, 1.25),
        {
          ...reported('its event', `${Math.round(bytes / 1000)} KB`, 'at most 50 KB'),
          reached: bytes <= 50_000,
        },
        {
          ...reported(
            `${many.toLocaleString('en')} people cancelled, with emails`,
            `${cancelled.seconds.toFixed(1)} s (${cancelled.cpuSeconds.toFixed(1)} s of CPU, with holds beside it)`,
            'at most 5 s',
          ),
          reached: cancelled.seconds <= 5,
        },
        reported('longest hold at the same Resource meanwhile', `${Math.round(cancelled.longestMs)} ms`),
      ]
    },
    { args: ['--without-jobs'] },
  )

type Group = { reference: string; resource: string; slot: FreeSlot & { appointment_uuid: string } }

/** One booked through the API, the others copied: what is measured is not how they came. */
async function makeGroup({ service, seeded }: Stage, index: number, people: number): Promise<Group> {
  const day = seeded.days[20]!
  const room = seeded.resources[index]!
  const { appointment } = await post(service, `${seeded.path}/appointments`, {
    reference: `group-${index}@bench`,
    resourceReference: room.reference,
    productReference: seeded.product.reference,
    start: `${day}T08:30`,
    end: `${day}T09:00`,
    capacity: people + 1000,
    acceptBookings: true,
    participations: [
      { reference: `guest-${index}`, name: 'Ann Winter', email: 'ann@example.org', state: 'BOOKED' },
    ],
  })
  progress(`  a group of ${people}`)
  await withSql(service, client =>
    client.query(
      `with copied as (
        select participation.* from participation join appointment on appointment.id = appointment_id where appointment.uuid = $1
      ), customers as (
        insert into customer (provider_id, reference, name, email)
        select provider_id, 'guest-' || $2 || '-' || n, 'Guest ' || n, 'guest' || n || '@example.org' from copied, generate_series(2, $3::int) as n
        returning id, provider_id, reference, name, email
      )
      insert into participation (provider_id, appointment_id, customer_id, reference, name, email, state)
      select customers.provider_id, copied.appointment_id, customers.id, customers.reference, customers.name, customers.email, 'BOOKED'
      from customers, copied`,
      [appointment.uuid, String(index), people],
    ),
  )
  const start = new Date(appointment.start).toISOString()
  const slot = {
    resource: room.uuid,
    start,
    end: new Date(appointment.end).toISOString(),
    timeslot_uuid: appointment.uuid,
    appointment_uuid: appointment.uuid,
    product_uuid: seeded.product.uuid,
  }
  return { reference: appointment.reference, resource: room.uuid, slot }
}

const times = 8

function cpuOf({ service }: Stage, { slot }: Group) {
  return async () => {
    const before = busyMs(service.pid)
    for (let time = 0; time < times; time++) await book(service, slot)
    return busySince(service.pid, before) / times
  }
}

async function readEvents(service: Running, after: string) {
  const headers = { 'x-service-client-id': apiKey }
  const query = `kinds=participation.booked&limit=500&after=${encodeURIComponent(after)}`
  const answer = await fetch(`${service.origin}/crms/${crm}/events?${query}`, { headers })
  return (await answer.json()) as { events: object[]; next: string }
}

/** Other visitors hold and release slots of the same Resource all the while. */
async function cancelBeside({ service, seeded }: Stage, { reference, resource }: Group) {
  const slots = (await freeSlots(service, seeded)).filter(one => one.resource === resource)
  let [longestMs, isDone] = [0, false]
  const others = (async () => {
    while (!isDone) {
      const begun = performance.now()
      await hold(service, slots.shift()!)
      longestMs = Math.max(longestMs, performance.now() - begun)
    }
  })()
  const [begun, before] = [performance.now(), busyMs(service.pid)]
  const answer = await fetch(`${service.origin}/crms/${crm}${seeded.path}/appointments`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json', 'x-service-client-id': apiKey },
    body: JSON.stringify({ appointmentReference: reference, message: 'The hall is closed.' }),
  })
  if (!answer.ok) throw new Error(`cancel: ${answer.status} ${await answer.text()}`)
  await answer.text()
  const seconds = (performance.now() - begun) / 1000
  isDone = true
  await others
  return { seconds, longestMs, cpuSeconds: busySince(service.pid, before) / 1000 }
}
