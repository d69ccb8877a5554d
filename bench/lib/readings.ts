import { remind, tidy } from '../../src/actions/scheduling/housekeeping.ts'
import type { Db } from '../../src/db/base/pool.ts'
import { book, hold } from './booking.ts'
import { insideService } from './inside-service.ts'
import { type FreeSlot, listPath, post, type Seeded } from './seed.ts'
import { apiKey, consoleToken, crm, type Running } from './service.ts'

/** A timed operation. `prepare` creates what the work uses up and is not counted. */
export type Reading = { prepare?: () => Promise<string>; work: (prepared: string) => Promise<unknown> }

type Scene = { service: Running; seeded: Seeded; slots: FreeSlot[]; db: Db; provider: string }

/** Everyday operations of people, integrators and jobs, for a database of any age. */
export function readings(scene: Scene): Record<string, Reading> {
  return {
    ...bookings(scene),
    ...lists(scene),
    ...consolePages(scene),
    ...customers(scene),
    ...resources(scene),
    ...jobs(scene),
  }
}

function bookings({ service, seeded, slots }: Scene): Record<string, Reading> {
  const { uuid } = seeded.resources[0]!
  return {
    'list after a booking': {
      prepare: async () => (await hold(service, slots.shift()!)) && '',
      work: () => get(service, listPath(uuid)),
    },
    reserve: { work: () => hold(service, slots.shift()!) },
    'reserve and complete': { work: () => book(service, slots.shift()!) },
  }
}

function lists({ service, seeded }: Scene): Record<string, Reading> {
  const path = `/crms/${crm}${seeded.path}`
  const week = `from=${seeded.days[0]}T00:00&to=${seeded.days[7]}T00:00`
  const resource = `resourceRef=${encodeURIComponent(seeded.resources[0]!.reference)}`
  const lately = () => `changedSince=${new Date(Date.now() - 60_000).toISOString()}`
  const reading = (query: string) => ({ work: () => get(service, `${path}/${query}`) })
  return {
    // The same Appointments on both: the oldest of a year belong to a thousand people, those of a small
    // database to few.
    'Appointments, a page of 1,000': reading(`appointments?limit=1000&from=${seeded.days[0]}T00:00`),
    'Appointments of a week': reading(`appointments?${week}`),
    'Appointments of a week, one Resource': reading(`appointments?${week}&${resource}`),
    'Appointments changed in the last minute': {
      work: () => get(service, `${path}/appointments?${lately()}`),
    },
    'Customers, a page of 100': reading('customers?limit=100'),
    'Customers changed in the last minute': { work: () => get(service, `${path}/customers?${lately()}`) },
    'Customers by email': reading('customers?email=visitor3@example.org'),
  }
}

function consolePages({ service, seeded, provider }: Scene): Record<string, Reading> {
  const [day, nextDay, nextWeek] = [seeded.days[0], seeded.days[1], seeded.days[7]]
  const reading = (path: string) => ({ work: () => get(service, `/console/api/${path}`) })
  const own = (path: string) => reading(`providers/${provider}/${path}`)
  return {
    'console: today': own(`diary?from=${day}`),
    'console: a day': own(`calendar?from=${day}&to=${nextDay}`),
    'console: a week': own(`calendar?from=${day}&to=${nextWeek}`),
    'console: requests': own('requests'),
    'console: log of a Provider': own('audit?limit=50'),
    'console: mails': reading('mails'),
    'console: mails that failed': reading('mails?state=failed'),
    'console: mails that wait': reading('mails?state=queued'),
    'console: mails that are kept': reading('mails?state=kept'),
    'console: verifications among the mails': reading('mails?kind=verification'),
    'console: mails to a Customer': reading('mails?to=visitor3@example.org'),
    'console: mails to the Provider': reading('mails?to=practice@example.org'),
    'console: Customers found by name': own('customers?search=Ann%20Winter'),
    'console: Customers found by number': own('customers?search=%2B4917'),
    'console: the newest Customers': own('customers'),
    'operator: state of the service': reading('operator'),
  }
}

let people = 0

function customers({ service, seeded }: Scene): Record<string, Reading> {
  const path = `${seeded.path}/customers`
  const made = async () => {
    const reference = `person-${people++}@bench`
    await post(service, path, {
      customerReference: reference,
      providerReference: seeded.provider,
      userName: 'Ann Winter',
      email: `person-${people}@example.org`,
    })
    return encodeURIComponent(reference)
  }
  const send = (method: string, reference: string, body?: object) =>
    request(service, method, `/crms/${crm}${path}/${reference}`, body)
  return {
    'a Customer renamed': {
      prepare: made,
      work: reference => send('PUT', reference, { userName: 'Ann Summer' }),
    },
    'a Customer erased': { prepare: made, work: reference => send('DELETE', reference) },
  }
}

/** Busy Resources: so many abandoned holds of the last hour are still there. */
const goneHolds = 2000

function resources({ service, seeded, db }: Scene): Record<string, Reading> {
  const path = `${seeded.path}/resources`
  const made = async () => {
    const reference = `left-${people++}@bench`
    await post(service, path, { reference, publicName: 'Left', internalName: 'L' })
    await db.pool.query(
      `insert into appointment (provider_id, resource_id, product_id, reference, origin, start_at, end_at, blocked_from, blocked_to,
        capacity, accept_bookings, deleted_at)
      select provider_id, resource.id, (select min(id) from product), resource.reference || number, 'consumer', at, at + interval '1 hour',
        at, at + interval '1 hour', 1, true, now()
      from resource, generate_series(1, $2) as number, lateral (select now() + number * interval '1 hour' as at) as times
      where resource.reference = $1`,
      [reference, goneHolds],
    )
    return encodeURIComponent(reference)
  }
  return {
    [`a Resource deleted where ${goneHolds.toLocaleString('en')} holds were`]: {
      prepare: made,
      work: reference => request(service, 'DELETE', `/crms/${crm}${path}/${reference}`),
    },
  }
}

function jobs({ db }: Scene): Record<string, Reading> {
  const inside = insideService(db)
  const early = 'update channel set reminder_hours = 720 where id = (select min(id) from channel)'
  // Reminders that would fall due during the bench: it cannot send emails.
  const reminded = `update participation set reminded_at = now() from appointment
    where appointment.id = appointment_id and start_at > now() and start_at < now() + interval '26 hours' and reminded_at is null`
  const usual = 'update channel set reminder_hours = 24 where reminder_hours = 720'
  return {
    reminders: {
      prepare: async () => (await db.pool.query(reminded)) && '',
      work: () => remind(inside),
    },
    'reminders, one channel 720 h ahead': {
      prepare: async () => (await db.pool.query(early)) && '',
      work: () => remind(inside),
    },
    tidying: {
      prepare: async () => (await db.pool.query(usual)) && '',
      work: () => tidy(inside),
    },
  }
}

const get = (service: Running, path: string) => request(service, 'GET', path)

export async function request({ origin }: Running, method: string, path: string, body?: object) {
  const caller: Record<string, string> = path.startsWith('/console')
    ? { authorization: `Bearer ${consoleToken}` }
    : { 'x-service-client-id': apiKey }
  const headers = { ...caller, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(origin + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
}
