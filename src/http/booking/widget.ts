import Type from 'typebox'
import { bookingOfToken, bookingToChange, cancelByConsumer } from '../../actions/booking/consumer-cancel.ts'
import { productFilter, resolveRef } from '../../actions/booking/resolve-ref.ts'
import { consumerForm } from '../../actions/booking/save-answers.ts'
import { type Booking, requestBeside } from '../../db/booking/bookings.ts'
import { type FoundSlot, findSlotRefs } from '../../db/booking/offers.ts'
import { findRefs } from '../../db/booking/refs.ts'
import { fromNow, loadWindows } from '../../db/booking/windows.ts'
import { findPublicCustomer } from '../../db/scheduling/customers.ts'
import { findProductsByRefs } from '../../db/setup/products.ts'
import { invalidToken, missingField, notFound } from '../../errors.ts'
import { pickLanguage, spokenLanguage } from '../../languages.ts'
import { concatAndHash } from '../../lib/concat.ts'
import { runInSteps } from '../../lib/run-in-steps.ts'
import { contactOf } from '../../messages/booking-data.ts'
import { type Bookable, bookablesOf } from '../../rules/offers/bookables.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { maxPlacesAtOnce } from '../../rules/offers/window.ts'
import { maskEmail, maskName } from '../../rules/people/contacts.ts'
import { additionalQuestions } from '../../rules/questions/additional.ts'
import { forConsumer, inLanguage } from '../../rules/questions/define.ts'
import { offsetAt, toOffsetText, zoneOffsets } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { queueKeyOf } from '../wire/callers/clients.ts'
import { Uuid } from '../wire/fields.ts'
import { publicRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import {
  BookablesByGroup,
  ChannelKeyQuery,
  languageTag,
  MyBookables,
  ProductRef,
  Refs,
} from './booking-schemas.ts'
import { distinctRefs, tenantOf } from './distinct-refs.ts'
import { actorOfLink, TokenHeader, tokenOf } from './signed-token.ts'
import { readPattern, renderList } from './slot-list.ts'

// Calls that embedded booking widgets make besides the booking itself.

const publicRoute = publicRoutes('C. Widgets')

const ChosenSlots = Type.Array(Type.Object({ resourceId: Uuid, bookables: BookablesByGroup }))

export const specificBookables = publicRoute({
  method: 'POST',
  path: '/bookables/specific_bookables',
  operationId: 'listSpecificBookables',
  summary: 'Slots of specific Timeslots and Appointments',
  description: 'The slots of the named Timeslots or Appointments that are on offer, by Resource and day.',
  query: { tslIds: Refs, prdRef: ProductRef, channelKey: ChannelKeyQuery },
  replies: { 200: ChosenSlots },
  errors: ['missing-field', 'not-found'],
  async handle({ query, service, request, reply }) {
    if (query.tslIds.length === 0) throw missingField('tslIds')
    const tslIds = distinctRefs('tslIds', query.tslIds)
    const found = await findSlotRefs(service.db, tslIds)
    const slots = [...new Set(found.map(one => one.position))].map(position =>
      resolveRef(found, tslIds[position - 1]!, position, 'Timeslot or Appointment', 'tslIds'),
    )
    service.suspensions.refuseAny(slots)
    const body = await service.listBuilding.run(
      queueKeyOf(request),
      () => chosenSlots(service, query, slots),
      tenantOf(slots),
    )
    service.largeResponses.add(reply.raw, body, queueKeyOf(request))
    reply.type('application/json; charset=utf-8')
    // Already JSON, like a list, and possibly as long as one.
    return body as unknown as Type.Static<typeof ChosenSlots>
  },
})

/** Queued like lists that are not cached. */
async function chosenSlots(
  service: Service,
  query: { prdRef?: string; channelKey: ChannelKey },
  slots: FoundSlot[],
) {
  const resourceIds = [...new Set(slots.map(slot => slot.resourceId))]
  const wanted = resourceIds.map(resourceId => ({ resourceId, channelKey: query.channelKey }))
  const windows = await loadWindows(service.db, wanted, fromNow())
  const providerIds = slots.map(slot => slot.providerId)
  const wantsAt = await productFilter(service.db, providerIds, query.prdRef || null)
  const named = new Set(slots.flatMap(slot => [slot.timeslotUuid, slot.appointmentUuid]))
  const isNamed = ({ timeslotUuid, appointment }: Bookable) =>
    named.has(timeslotUuid) || (appointment !== null && named.has(appointment.uuid))
  const [groupFormat, timeFormat] = ['yyyy-MM-dd', 'yyyy-MM-dd HH:mm']
  const formats = {
    group: readPattern('groupFormat', groupFormat),
    time: readPattern('timeFormat', timeFormat),
    groupFormat,
    timeFormat,
    languageTag: null,
  }
  const parts: Buffer[] = []
  for (const loaded of windows) {
    const options = { now: loaded.now, wants: wantsAt(loaded), from: 0, to: Number.POSITIVE_INFINITY }
    // Only the named ones: of two Timeslots with the same start, the list would omit one.
    const timeslots = loaded.window.timeslots.filter(({ uuid }) => named.has(uuid))
    const { bookables } = await runInSteps(bookablesOf({ ...loaded.window, timeslots }, options))
    const groups = await renderList([{ loaded, bookables: bookables.filter(isNamed) }], formats, '}')
    const lead = `${parts.length === 0 ? '[' : ','}{"resourceId":"${loaded.resource.uuid}","bookables":`
    parts.push(Buffer.from(lead), ...(groups?.parts ?? [Buffer.from('{}')]), Buffer.from('}'))
  }
  parts.push(Buffer.from(parts.length === 0 ? '[]' : ']'))
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return (await concatAndHash(parts, length)).body
}

export const identify = publicRoute({
  method: 'GET',
  path: '/crms/:platform/resources/:ref/customers/:customerId/identify',
  operationId: 'identifyCustomer',
  summary: 'Who am I?',
  description:
    'Masked name and email of a known Customer. Returns 404 unless the provider has turned this on.',
  replies: {
    200: Type.Object({ name: Type.String(), email: Type.String(), missingFields: Type.Array(Type.String()) }),
  },
  errors: ['not-found'],
  limit: 'identify',
  async handle({ params, service }) {
    const { found } = await findRefs(service.db, [params.ref])
    const { providerId } = resolveRef(found, params.ref, 1)
    service.suspensions.refuseProvider(providerId)
    const customer = await findPublicCustomer(service.db, providerId, params.customerId)
    if (!customer) throw notFound('Customer', params.customerId)
    const missingFields = (['email', 'mobile'] as const).filter(field => !customer[field])
    return { name: maskName(customer.name), email: maskEmail(customer.email), missingFields }
  },
})

export const cancelableBookable = publicRoute({
  method: 'GET',
  path: '/bookables/cancelable_bookable',
  operationId: 'getCancelableBookable',
  summary: 'My booking',
  description:
    'The Appointment that a cancel or move link belongs to. Send its token in the header X-SIGNED-APP-CUSTOMER.',
  headers: TokenHeader('cancel or move'),
  query: {
    prdRef: Type.Optional(
      Type.String({ description: 'Another Product to move to, which `questions` are then about.' }),
    ),
    languageTag,
  },
  replies: { 200: MyBookables },
  errors: ['invalid-token', 'not-found'],
  async handle({ query, service, request }) {
    const token = tokenOf(request)
    const booking = (await bookingToChange(service, token)) ?? (await bookingToChange(service, token, 'move'))
    if (!booking) throw invalidToken()
    const { date, bookable } = bookedSlot(booking)
    const moveRequest = await requestBeside(service.db, booking)
    const requested = moveRequest && timesIn(moveRequest)
    const questions = await questionsOfMove(service, moveRequest ?? booking, query)
    return { [date]: [{ ...bookable, requested, questions }] }
  },
})

export const cancelBooking = publicRoute({
  method: 'DELETE',
  path: '/customers/:customerUuid/appointments/:appointmentUuid',
  operationId: 'cancelBooking',
  summary: 'Cancel my booking',
  description:
    'Send the token of the cancel link in the header X-SIGNED-APP-CUSTOMER. Safe to repeat: a booking that is already cancelled returns the same answer.',
  query: {
    message: Type.Optional(
      Type.String({ maxLength: 1024, description: 'Reason, included in the email to the provider.' }),
    ),
    keep: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxPlacesAtOnce,
        description: 'How many places of the booking stay. By default none: the booking is cancelled.',
      }),
    ),
  },
  headers: TokenHeader('cancel'),
  replies: { 200: Wrapped({}) },
  errors: ['invalid-token', 'change-notice'],
  async handle({ params, query, service, request }) {
    const token = tokenOf(request)
    const booking = await bookingOfToken(service, token)
    if (booking?.appointmentUuid !== params.appointmentUuid.toLowerCase()) throw invalidToken()
    if (booking.state === 'CANCELED') return wrap({})
    const staff = await actorOfLink(service, request, 'cancel')
    await cancelByConsumer(service, token, query.message ?? null, staff ?? undefined, {
      places: query.keep ?? null,
    })
    return wrap({})
  },
})

/** What the booking has no answer to, if it moves within its Product or to another one. */
async function questionsOfMove(
  service: Service,
  booking: Booking,
  { prdRef, languageTag }: { prdRef?: string; languageTag?: string },
) {
  const now = consumerForm(booking)
  const other = prdRef ? await otherProduct(service, booking, prdRef) : null
  const asked = other
    ? additionalQuestions(forConsumer(other.questions ?? []), booking, now)
    : additionalQuestions(now, booking, null)
  const language = spokenLanguage(languageTag) ?? pickLanguage(booking.language, booking.providerLanguage)
  return asked.map(one => inLanguage(one, language, booking.providerLanguage))
}

/** Null if it is the Product of the booking. */
async function otherProduct(service: Service, { providerId, productUuid }: Booking, prdRef: string) {
  const found = await findProductsByRefs(service.db, [prdRef])
  const product = found.find(one => one.providerId === providerId)
  if (!product) throw notFound('Product', prdRef)
  return product.uuid === productUuid ? null : product
}

/** By the Provider's clock. */
function timesIn({ timeZone, startAt, endAt }: Pick<Booking, 'timeZone' | 'startAt' | 'endAt'>) {
  const offsets = zoneOffsets(timeZone, startAt, endAt)
  const text = (instant: number) => toOffsetText(instant, offsetAt(offsets, instant))
  return { start: text(startAt), end: text(endAt) }
}

function bookedSlot(booking: Booking) {
  const { start, end } = timesIn(booking)
  const [channel] = contactOf(booking).channels
  return {
    date: start.slice(0, 10),
    bookable: {
      start,
      end,
      formattedStart: start.slice(0, 16).replace('T', ' '),
      formattedEnd: end.slice(0, 16).replace('T', ' '),
      timeslot_uuid: booking.timeslotUuid ?? booking.appointmentUuid,
      appointment_uuid: booking.appointmentUuid,
      product_uuid: booking.productUuid,
      product_name: booking.productName,
      products: [{ uuid: booking.productUuid, name: booking.productName }],
      resource_uuid: booking.resourceUuid,
      resource_name: booking.resourceName,
      contact_channel: channel ? { type: channel.type, value: channel.value } : null,
      capacity: booking.capacity,
      capacity_left: Math.max(0, booking.capacity - booking.taken),
      kind: 'models.LotAppointment' as const,
      state: booking.state as 'BOOKED' | 'REQUESTED',
      channel_key: booking.channelKey,
      changeable: booking.isChangeable || booking.state === 'REQUESTED',
    },
  }
}
