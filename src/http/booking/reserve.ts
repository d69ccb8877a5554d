import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Reserved } from '../../actions/booking/requests.ts'
import { release, reserve } from '../../actions/booking/reserve.ts'
import { crmOfRef } from '../../actions/booking/resolve-ref.ts'
import { formatAddress } from '../../rules/people/addresses.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { clientOf } from '../wire/callers/clients.ts'
import { publicRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { missingInReserve, ReserveBody, RevokeBody } from './booking-bodies.ts'
import { ChannelKeyQuery, ReserveReply } from './booking-schemas.ts'
import { dropIgnoredChannelKey, refInPath, refsInQuery } from './ignored-channel-key.ts'
import { readTimes, zoneFor } from './read-times.ts'
import { TokenHeader, tokenOf } from './signed-token.ts'

const publicRoute = publicRoutes('C. Booking')

export const reserveAppointment = publicRoute({
  method: 'POST',
  path: '/resources/:ref/reserve_appointment',
  operationId: 'reserveAppointment',
  summary: 'Reserve a slot',
  description:
    'Holds a place for a few minutes. In the camelCase form that widgets send, times are read as the Provider’s local time. The `placeholder_id` of an earlier hold replaces that hold. With the token of a move link in the header X-SIGNED-APP-CUSTOMER, the place is held for that move: the booking does not block its own new time, and only its move can use the hold.',
  headers: {
    'X-SIGNED-APP-CUSTOMER': Type.Optional(TokenHeader('move')['X-SIGNED-APP-CUSTOMER']),
    'Idempotency-Key': Type.Optional(
      Type.String({
        description:
          'A name for this attempt, such as a random uuid. Repeating the identical request with it returns the same hold.',
      }),
    ),
  },
  query: {
    ref: Type.Optional(Type.String({ description: 'Another name of the Resource or channel.' })),
    channelKey: ChannelKeyQuery,
  },
  dropIgnored: dropIgnoredChannelKey({
    refs: sent => [...refInPath(sent), ...refsInQuery(sent)],
    isAnyEnough: true,
  }),
  body: ReserveBody,
  findMissing: missingInReserve,
  replies: { 200: ReserveReply },
  errors: ['not-found', 'invalid-token', 'change-notice', '201', 'channel-hidden'],
  limit: 'reserve',
  crmOf: crmOfRef,
  isShedUnderLoad: true,
  async handle({ params, query, body, service, request }) {
    const timeslotUuid = body.timeslot_uuid || body.timeslotUuid || null
    const appointmentUuid = body.appointment_uuid || body.appointmentUuid || null
    const productUuid = (body.product_uuid || body.productUuid)!
    const isWallClock = body.timeslotUuid != null || body.appointmentUuid != null || body.productUuid != null
    const client = clientOf(service, request)
    const reserved = await reserve(service, {
      refs: [params.ref, query.ref ?? []].flat(),
      channelKey: query.channelKey,
      timeslotUuid,
      appointmentUuid,
      productUuid,
      ...readTimes(body.from, body.to, isWallClock, await zoneFor(service, params.ref, body.from + body.to)),
      placeholder: body.placeholder_id ?? null,
      newPlaceholder: body.new_placeholder_id || nameOfAttempt(service, request, client),
      places: body.place_count ?? 1,
      moving: service.signer.open('move', tokenOf(request)),
      client,
    })
    service.metrics.holds.inc({ kind: body.placeholder_id ? 'changed' : 'new' })
    return wrap(reserveReply(reserved))
  },
})

/** With an Idempotency-Key, the identical request of the same client names the same hold. */
function nameOfAttempt({ signer }: Service, request: FastifyRequest, client: string | null): string | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') return null
  const text = JSON.stringify([client, key, request.url, request.body])
  const hex = createHmac('sha256', signer.key('attempt')).update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

function reserveReply({ loaded, placement, ...reserved }: Reserved) {
  const { resource } = loaded
  const isNew = placement.kind === 'new'
  const { start, end, capacity } = isNew
    ? { ...placement, capacity: placement.timeslot.capacity }
    : placement.appointment
  const capacityLeft = Math.max(0, capacity - (isNew ? 0 : placement.appointment.taken) - placement.places)
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
      place_count: placement.places,
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
        // Only the caller's own entry: the placeholder of another client would give away that hold.
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

export const revokeReservation = publicRoute({
  method: 'POST',
  path: '/resources/:ref/revoke_reservation',
  operationId: 'revokeReservation',
  summary: 'Release a held slot',
  description:
    'Safe to repeat, and to send after the hold has expired or was booked: a completed booking never changes.',
  body: RevokeBody,
  replies: { 200: Wrapped({}) },
  async handle({ body, service }) {
    if (body.placeholder_id) await release(service, body.placeholder_id)
    return wrap({})
  },
})
