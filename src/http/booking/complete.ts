import Type from 'typebox'
import { complete } from '../../actions/booking/complete.ts'
import type { CompleteRequest, Completion } from '../../actions/booking/requests.ts'
import { mobileKeyAt } from '../../actions/booking/resolve-booker.ts'
import { crmOfRef } from '../../actions/booking/resolve-ref.ts'
import { completeSeries } from '../../actions/booking/series/complete-series.ts'
import { notAfterStart } from '../../errors.ts'
import { regionalTag, spokenLanguage } from '../../languages.ts'
import { sha256 } from '../../lib/hash.ts'
import { readChannelKey } from '../../rules/offers/channels.ts'
import { formatPattern, namesFor, type Pattern } from '../../rules/time/patterns.ts'
import { readPeriod } from '../../rules/time/read-times.ts'
import { localParts, offsetAt, toOffsetText, zoneOffsets } from '../../rules/time/time.ts'
import { clientOf } from '../wire/callers/clients.ts'
import { publicRoutes } from '../wire/route.ts'
import { wrap } from '../wire/wrapper.ts'
import { CompleteBody, isKnownCustomer, missingInComplete, namesIn, zoneNamed } from './booking-bodies.ts'
import { CompleteReply } from './booking-schemas.ts'
import { dropIgnoredChannelKey, refInPath } from './ignored-channel-key.ts'
import { zoneFor } from './read-times.ts'
import { readPattern } from './slot-list.ts'

export const completeBooking = publicRoutes('C. Booking')({
  method: 'POST',
  path: '/resources/:ref/create_appointment_with_consumer',
  operationId: 'completeBooking',
  summary: 'Complete a booking',
  description:
    'Books a slot with the consumer’s data. `placeholder_id` uses the caller’s own hold. Repeating the identical request returns the same response and does not book twice.',
  query: {
    timeFormat: Type.Optional(
      Type.String({
        description: 'Pattern for `start` and `end` in the response, such as dd.MM.yyyy HH:mm.',
      }),
    ),
    channelKey: Type.Optional(Type.String({ description: 'Used if the body names no channel.' })),
    message: Type.Optional(Type.String({ maxLength: 1024, description: 'Used if the body has no message.' })),
  },
  dropIgnored: dropIgnoredChannelKey({ refs: refInPath }),
  body: CompleteBody,
  findMissing: missingInComplete,
  replies: { 201: CompleteReply },
  errors: ['not-found', 'missing-answer', '201', '202', 'not-invited', 'channel-hidden'],
  limit: 'complete',
  crmOf: crmOfRef,
  isShedUnderLoad: true,
  async handle({ params, query, body, service, request }) {
    const timePattern = query.timeFormat === undefined ? null : readPattern('timeFormat', query.timeFormat)
    const entered = consumerOf(body)
    const consumer = entered && {
      ...entered,
      mobileKey: await mobileKeyAt(service, params.ref, entered.mobile),
    }
    const zone = await zoneFor(service, params.ref, body.start + body.end)
    const { start, end } = readPeriod({ start: body.start, end: body.end }, zone)
    if (end <= start) throw notAfterStart('end', 'start')
    const message = body.message || query.message || null
    const completeRequest: CompleteRequest = {
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
      timeZone: zoneNamed(body.timeZone),
      hasAgreed: [true, 1, 'true', '1', 'on', 'yes'].includes(body.agbs as string),
      places: body.place_count ?? null,
      placeNames: body.place_names ?? [],
      sent: { answers: body.answers ?? null, fields: request.body as Record<string, unknown> },
      digest: digestOf(body),
    }
    const done = body.placeholder_ids
      ? await completeSeries(service, completeRequest, body.placeholder_ids)
      : [await complete(service, completeRequest)]
    const replies = done.map(one => completeReply(one, timePattern))
    const series = body.placeholder_ids ? { createdAppointments: replies } : {}
    return wrap({ createdAppointment: replies[0]!, ...series })
  },
})

/** Validation has ensured that all details are present: see missingInComplete. */
function consumerOf(body: Type.Static<typeof CompleteBody>) {
  if (isKnownCustomer(body)) return null
  const { firstname, lastname } = namesIn(body)
  return {
    email: body.email!.trim(),
    firstName: firstname!.trim(),
    lastName: lastname!.trim(),
    mobile: body.mobile?.trim() || null,
  }
}

/** Equal for equal requests, whatever the order of their fields. */
function digestOf(body: object): string {
  const sorted = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify(sorted)).toString('base64url')
}

/** Links end with their token. */
const tokenIn = (link: string) => URL.parse(link)!.pathname.split('/').at(-1)!

export function completeReply(done: Completion, timePattern: Pattern | null) {
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
    place_count: done.places,
    kind: 'models.LotAppointment' as const,
    state: done.state,
    cancelLink: done.cancelLink,
    cancelToken: tokenIn(done.cancelLink),
    moveLink: done.moveLink,
    moveToken: tokenIn(done.moveLink),
    confirmationLink: done.confirmationLink,
    answersMissing: done.answersMissing,
    answersLink: done.answersLink,
  }
}
