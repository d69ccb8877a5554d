import Type from 'typebox'
import { complete } from '../../actions/booking/complete.ts'
import { meant } from '../../actions/booking/find-ref.ts'
import { mobileKeyAt } from '../../actions/booking/mobile-key.ts'
import { release } from '../../actions/booking/release.ts'
import { reserve } from '../../actions/booking/reserve.ts'
import type {
  CompleteWish,
  Completion,
  Reserved,
  ReserveRequest,
  Span,
} from '../../actions/booking/wishes.ts'
import { readInstant } from '../../actions/scheduling/create-timeslots.ts'
import { findRefs } from '../../db/booking/refs.ts'
import { invalidField, missingField } from '../../errors.ts'
import { regionalTag, spokenLanguage } from '../../languages.ts'
import { sha256 } from '../../lib/hash.ts'
import { formatAddress } from '../../rules/address.ts'
import { readChannelKey } from '../../rules/channels.ts'
import { formatPattern, namesFor, type Pattern } from '../../rules/patterns.ts'
import {
  isTimeZone,
  localParts,
  offsetAt,
  toOffsetText,
  toUtcText,
  wallClockAsInstants,
  zoneOffsets,
} from '../../rules/time.ts'
import { day, minute } from '../../rules/window.ts'
import type { Service } from '../../service.ts'
import { clientOf } from '../wire/clients.ts'
import { answer, publicRoute } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { CompleteBody, ReserveBody, RevokeBody } from './booking-bodies.ts'
import { ChannelKeyQuery, CompleteReply, ReserveReply } from './booking-schemas.ts'
import { readPattern } from './slot-list.ts'

export const reserveAppointment = publicRoute({
  method: 'POST',
  path: '/resources/:ref/reserve_appointment',
  operationId: 'reserveAppointment',
  tag: 'C. Booking',
  summary: 'Reserve a slot',
  description:
    'Holds a place for a few minutes. With names in camelCase the times are read as wall clock of the Provider first, as widgets send them. A `placeholder_id` of an earlier hold replaces that hold.',
  query: {
    ref: Type.Optional(Type.String({ description: 'Another name of the Resource or channel.' })),
    channelKey: ChannelKeyQuery,
  },
  body: ReserveBody,
  replies: { 200: ReserveReply },
  errors: ['not-found', '201', 'channel-hidden'],
  limit: 'reserve',
  async handle({ params, query, body, service, request }) {
    const timeslotUuid = body.timeslot_uuid || body.timeslotUuid || null
    const appointmentUuid = body.appointment_uuid || body.appointmentUuid || null
    const productUuid = body.product_uuid || body.productUuid
    if (!productUuid) throw missingField('product_uuid')
    if (!timeslotUuid && !appointmentUuid)
      throw missingField('timeslot_uuid', 'timeslot_uuid or appointment_uuid is required.')
    const isWallClock = body.timeslotUuid != null || body.appointmentUuid != null || body.productUuid != null
    const reserved = await reserve(service, {
      refs: [params.ref, query.ref ?? []].flat(),
      channelKey: query.channelKey,
      timeslotUuid,
      appointmentUuid,
      productUuid,
      ...readTimes(body.from, body.to, isWallClock, await zoneFor(service, params.ref, body.from + body.to)),
      placeholder: body.placeholder_id ?? null,
      client: clientOf(service, request),
    })
    return answer(200, wrap(reserveReply(reserved)))
  },
})

/**
 * snake_case: true instants. camelCase: the browser's wall clock labelled Z, so the Provider's wall clock comes first
 * and the true instant second.
 */
function readTimes(
  from: string,
  to: string,
  isWallClock: boolean,
  zone: string,
): Pick<ReserveRequest, 'readings' | 'period'> {
  const actual = { from: readInstant(from, zone, 'from'), to: readInstant(to, zone, 'to') }
  if (actual.to - actual.from > 366 * day) throw invalidField('to', 'to must be at most 366 days after from.')
  const asInstants = actual.to > actual.from ? [actual] : []
  const readings = (zone: string) => {
    const readings = [isWallClock ? wallClockSpans(from, to, zone) : [], asInstants].filter(one => one.length)
    if (readings.length === 0) throw invalidField('to', 'to must be after from.')
    return readings
  }
  if (!isWallClock) readings(zone)
  // No zone is further from UTC than this.
  const margin = isWallClock ? 15 * 60 * minute : 0
  const latest = Math.max(actual.from, actual.to)
  return { readings, period: { from: actual.from - margin, to: latest + margin } }
}

/** Where the clock strikes an hour twice, a slot may seem to end before it begins; the shortest span comes first. */
function wallClockSpans(from: string, to: string, zone: string): Span[] {
  const ends = wallClockAsInstants(to, zone)
  const spans = wallClockAsInstants(from, zone).flatMap(start => ends.map(end => ({ from: start, to: end })))
  const length = (span: Span) => span.to - span.from
  return spans.filter(span => length(span) > 0).sort((a, b) => length(a) - length(b) || a.from - b.from)
}

export const completeBooking = publicRoute({
  method: 'POST',
  path: '/resources/:ref/create_appointment_with_consumer',
  operationId: 'completeBooking',
  tag: 'C. Booking',
  summary: 'Complete a booking',
  description:
    'Books with the consumer’s data. `placeholder_id` uses the caller’s own hold; sending the same request again answers the same and books nothing twice.',
  query: {
    timeFormat: Type.Optional(
      Type.String({ description: 'Pattern for `start` and `end` of the answer, such as dd.MM.yyyy HH:mm.' }),
    ),
    channelKey: Type.Optional(Type.String({ description: 'Counts where the body names no channel.' })),
    message: Type.Optional(
      Type.String({ maxLength: 1024, description: 'Counts where the body has no message.' }),
    ),
  },
  body: CompleteBody,
  replies: { 201: CompleteReply },
  errors: ['not-found', '201', '202', 'not-invited', 'channel-hidden'],
  limit: 'complete',
  async handle({ params, query, body, service, request }) {
    const timePattern = query.timeFormat === undefined ? null : readPattern('timeFormat', query.timeFormat)
    const said = consumerOf(body)
    const consumer = said && { ...said, mobileKey: await mobileKeyAt(service, params.ref, said.mobile) }
    const zone = await zoneFor(service, params.ref, body.start + body.end)
    const start = readInstant(body.start, zone, 'start')
    const end = readInstant(body.end, zone, 'end')
    if (end <= start) throw invalidField('end', 'end must be after start.')
    const message = body.message || query.message || null
    const wish: CompleteWish = {
      refs: [params.ref],
      channelKey: readChannelKey(body.channelKey ?? body.channelId ?? query.channelKey),
      targetUuid: body.timeslot_uuid,
      productUuid: body.product_uuid || null,
      start,
      end,
      placeholder: body.placeholder_id || null,
      consumer,
      customerReference: body.customer_id || null,
      client: clientOf(service, request),
      message,
      language: spokenLanguage(body.locale),
      locale: regionalTag(body.locale),
      // Whatever browsers may call their zone: a name that means nothing here is as good as none.
      timeZone: body.timeZone && isTimeZone(body.timeZone) ? body.timeZone : null,
      digest: digestOf(body),
    }
    const completion = await complete(service, wish)
    return answer(201, wrap({ createdAppointment: completeReply(completion, timePattern) }))
  },
})

export const revokeReservation = publicRoute({
  method: 'POST',
  path: '/resources/:ref/revoke_reservation',
  operationId: 'revokeReservation',
  tag: 'C. Booking',
  summary: 'Give a held slot back',
  description: 'Safe to send again, too late, or after the booking: a completed booking is never touched.',
  body: RevokeBody,
  replies: { 200: Wrapped({}) },
  async handle({ body, service }) {
    if (body.placeholder_id) await release(service, body.placeholder_id)
    return answer(200, wrap({}))
  },
})

/** Somebody known to the Provider sends a customer_id and nothing else; everybody else says who they are. */
function consumerOf(body: Type.Static<typeof CompleteBody>) {
  const firstName = (body.firstname || body.firstName)?.trim()
  const lastName = (body.lastname || body.lastName)?.trim()
  const email = body.email?.trim()
  if (body.customer_id && !email) return null
  if (!email) throw missingField('email')
  if (!firstName) throw missingField('firstname')
  if (!lastName) throw missingField('lastname')
  return { email, firstName, lastName, mobile: body.mobile?.trim() || null }
}

/** Times without a zone are local times of the Provider; only then is it worth asking which that is. */
async function zoneFor({ db }: Service, ref: string, texts: string): Promise<string> {
  const namesZone = (texts.match(/[zZ]|[+-]\d\d:?(\d\d)?(?=\d{4}-|$)/g) ?? []).length >= 2
  if (namesZone) return 'UTC'
  return meant((await findRefs(db, [ref])).found, ref, 1).time_zone
}

function digestOf(body: object): string {
  const sorted = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify(sorted)).toString('base64url')
}

function reserveReply({ loaded, placement, ...reserved }: Reserved) {
  const { resource } = loaded
  const isNew = placement.kind === 'new'
  const { start, end, capacity } = isNew
    ? { ...placement, capacity: placement.timeslot.capacity }
    : placement.appointment
  const capacityLeft = Math.max(0, capacity - (isNew ? 0 : placement.appointment.taken) - 1)
  const times = { from: toUtcText(start), to: toUtcText(end) }
  const { uuid: productUuid, name } = placement.product
  return {
    participation: {
      uuid: reserved.participationUuid,
      appointment_uuid: reserved.appointmentUuid,
      timeslot_uuid: isNew
        ? placement.timeslot.uuid
        : (placement.appointment.timeslotUuid ?? placement.appointment.uuid),
      resource_uuid: resource.uuid,
      product_uuid: productUuid,
      ...times,
      appointment_capacity: capacity,
      appointment_capacity_left: capacityLeft,
      customer_uuid: reserved.placeholder,
      customer_mobile: null,
      customer_fullName: null,
      customer_email: null,
      customer_note: null,
      state: 'RESERVED' as const,
      formatedAddress: formatAddress(reserved.address as Parameters<typeof formatAddress>[0]),
      messages: [],
      expiresAt: toUtcText(reserved.expiresAt),
    },
    appointments: [
      {
        uuid: reserved.appointmentUuid,
        kind: 'models.LotAppointment' as const,
        product_id: productUuid,
        product_name: (isNew ? null : placement.appointment.productName) ?? name,
        resource_id: resource.uuid,
        ...times,
        state: 'ACTIVE' as const,
        capacity,
        capacity_left: capacityLeft,
        // The caller's own entry only: another's placeholder would hand over that hold.
        customers: [
          {
            customer_placeholder_id: reserved.placeholder,
            customer_uuid: reserved.placeholder,
            participationState: 'RESERVED' as const,
            participation_id: reserved.participationUuid,
          },
        ],
      },
    ],
  }
}

function completeReply(done: Completion, timePattern: Pattern | null) {
  const text = (instant: number) => {
    const offset = offsetAt(zoneOffsets(done.timeZone, instant, instant), instant)
    if (timePattern) return formatPattern(timePattern, localParts(instant, offset), namesFor(done.language)!)
    return toOffsetText(instant, offset)
  }
  return {
    appointment_uuid: done.appointmentUuid,
    start: text(done.start),
    end: text(done.end),
    timeslot_uuid: done.timeslotUuid,
    product_uuid: done.productUuid,
    product_name: done.productName,
    products: [{ uuid: done.productUuid, name: done.productName }],
    resource_uuid: done.resourceUuid,
    resource_name: done.resourceName,
    contact_channel: done.contactChannel,
    capacity: done.capacity,
    capacity_left: done.capacityLeft,
    kind: 'models.LotAppointment' as const,
    cancelLink: done.cancelLink,
    confirmationLink: done.confirmationLink,
  }
}
