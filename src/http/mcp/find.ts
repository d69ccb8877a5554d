import { explainDay } from '../../actions/booking/explain-day.ts'
import { resolveRef } from '../../actions/booking/resolve-ref.ts'
import { placesOfCrm } from '../../db/booking/businesses.ts'
import { findRefs } from '../../db/booking/refs.ts'
import { invalidField, missingField } from '../../errors.ts'
import { parseDateOrInstant } from '../../rules/time/time.ts'
import { limitRate } from '../wire/callers/overload.ts'
import { type AgentCall, askApi, placeOf, placesAt } from './call.ts'
import { momentAt, zoneOr } from './moments.ts'

// Tools that read.

type Product = {
  uuid: string
  name: string
  description: string
  minDuration: number | null
  maxDuration: number | null
  questions: { key: string; type: string; label: string; required: boolean; options: object[] }[]
}

type Place = {
  ref: string
  resource: { uuid: string; name: string; description: string | null; address: string | null }
  provider: { name: string; description: string | null; timeZone: string; phone: string | null }
  channel: { visible: boolean; bookingProcess: string; customersOnly: boolean }
}

export async function findServices(call: AgentCall, { ref, language }: { ref?: string; language?: string }) {
  if (!ref) return call.key ? { places: await placesOfCrm(call.service.db, call.key.crmId) } : needRef()
  const refs = await placesAt(call, ref)
  if (refs.length > 1) return { places: await namesOf(call, refs) }
  const query = { ref: refs[0]!, languageTag: language }
  const [place, found] = await Promise.all([
    askApi<Place>(call, 'POST', '/resources/public_data', query),
    askApi<{ products: Product[] }>(call, 'POST', '/products/active_products', query),
  ])
  const { resource, provider, channel } = place!
  return {
    ref: query.ref,
    place: { name: resource.name, description: resource.description, address: resource.address },
    business: {
      name: provider.name,
      description: provider.description,
      phone: provider.phone,
      zone: provider.timeZone,
    },
    booking: channel.bookingProcess === 'REQUESTED' ? 'the business confirms each request' : 'immediate',
    knownCustomersOnly: channel.customersOnly,
    services: found!.products.map(one => ({
      id: one.uuid,
      name: one.name,
      description: one.description,
      minutes: one.minDuration,
      questions: one.questions,
    })),
  }
}

async function namesOf(call: AgentCall, ref: string[]) {
  const places = await askApi<Place[]>(call, 'POST', '/resources/public_data', { ref })
  return places!.map(one => ({ ref: one.ref, name: one.resource.name, business: one.provider.name }))
}

function needRef(): never {
  throw missingField('ref', 'page')
}

type Times = { ref: string; service: string; zone: string; from?: string; to?: string; limit?: number }
type Bookable = {
  start: string
  end: string
  timeslot_uuid: string
  appointment_uuid?: string
  resource_name: string
  capacity_left: number
}

const fortnight = 14 * 86_400_000

export async function findTimes(call: AgentCall, { service, limit = 20, ...asked }: Times) {
  const ref = await placeOf(call, asked.ref)
  const zone = zoneOr(asked.zone, asked.zone)
  const from = asked.from ? readTime('from', asked.from, zone) : (await call.service.refs.check([ref])).now
  const to = asked.to ? readTime('to', asked.to, zone) : from + fortnight
  const [start, end] = [from, to].map(at => new Date(at).toISOString())
  const path = `/resources/${encodeURIComponent(ref)}/upcoming_bookables`
  const listed = await askApi<Record<string, unknown>>(call, 'GET', path, {
    prdRef: service,
    from: start,
    to: end,
  })
  const slots = Object.values(listed ?? {})
    .filter(one => Array.isArray(one))
    .flat() as Bookable[]
  const free = slots.filter(one => one.capacity_left > 0)
  return {
    ref,
    service,
    times: free.slice(0, limit).map(one => ({
      slot: one.appointment_uuid ?? one.timeslot_uuid,
      with: one.resource_name,
      start: momentAt(Date.parse(one.start), zone),
      end: momentAt(Date.parse(one.end), zone),
      placesLeft: one.capacity_left,
    })),
    more: free.length > limit,
    ...(free.length === 0 ? { hint: 'Nothing available: try a later period.' } : {}),
  }
}

function readTime(field: string, text: string, zone: string): number {
  const at = parseDateOrInstant(text, zone)
  if (at === null) throw invalidField(field, 'date-or-time:iso')
  return at
}

type Explain = { ref: string; service?: string; date: string; time?: string }

/** Without names, references and internal reasons. */
export async function explainUnavailable(
  call: AgentCall,
  { service: prdRef, date, time, ...asked }: Explain,
) {
  const { service, request, reply } = call
  const ref = await placeOf(call, asked.ref)
  await limitRate(service, request, reply, 'explain')
  const place = resolveRef((await findRefs(service.db, [ref])).found, ref, 1)
  service.suspensions.refuseProvider(place.providerId)
  const { lines, timeZone } = await explainDay(service, {
    resourceId: place.resourceId,
    channelKey: place.channelKey ?? 'RESOURCE_PUBLIC',
    date,
    prdRef: prdRef ?? null,
  })
  const wanted = lines.filter(one => !time || momentAt(Date.parse(one.start), timeZone).local.endsWith(time))
  return {
    zone: timeZone,
    times: merged(wanted).map(one => ({
      start: momentAt(one.from, timeZone),
      end: momentAt(one.to, timeZone),
      available: one.offered,
      reason: one.offered ? 'Available.' : (reasons[one.reason] ?? 'Not available.'),
    })),
    ...(wanted.length === 0 ? { hint: 'The business offers no times then.' } : {}),
  }
}

type Line = Awaited<ReturnType<typeof explainDay>>['lines'][number]
type Stretch = { from: number; to: number; offered: boolean; reason: string }

/** Slots with the same reason, one after the other, are one line. */
function merged(lines: Line[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const { start, end, offered, reason } of lines) {
    const last = stretches.at(-1)
    const [from, to] = [Date.parse(start), Date.parse(end)]
    const isSame = last && last.to === from && last.offered === offered && (offered || last.reason === reason)
    if (isSame) last.to = to
    else stretches.push({ from, to, offered, reason })
  }
  return stretches
}

const reasons: Record<string, string> = {
  held: 'Another person is booking it right now.',
  taken: 'Booked.',
  full: 'Fully booked.',
  buffer: 'Too close to another appointment.',
  busy: 'The business is busy.',
  closed: 'Closed.',
  notice: 'It has passed or starts too soon.',
  horizon: 'Not open for booking yet.',
  duration: 'Too short for this service.',
  rest: 'Too short for this service.',
  product: 'This service is not offered then.',
  channel: 'Online booking is closed.',
  archived: 'Online booking is closed.',
}
