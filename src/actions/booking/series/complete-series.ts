import { randomUUID } from 'node:crypto'
import { lockByIds } from '../../../db/base/ledger.ts'
import type { Transaction } from '../../../db/base/pool.ts'
import { findHeld, type Held } from '../../../db/booking/held.ts'
import { findBookers } from '../../../db/booking/people.ts'
import { insertSeriesPlaces, nameSeries } from '../../../db/scheduling/series.ts'
import { alreadyBooked, invalidField, notFound, slotTaken, termsNotAccepted } from '../../../errors.ts'
import { isUuid } from '../../../rules/references.ts'
import type { Service } from '../../../service.ts'
import { isRivalPerson } from '../complete.ts'
import { completeHeld } from '../complete-held.ts'
import { completionAnsweredBefore } from '../finish-booking.ts'
import { refuseConstraint } from '../refuse-slot.ts'
import type { CompleteRequest, Completion, TargetedRequest } from '../requests.ts'
import { resolveBooker } from '../resolve-booker.ts'
import { answersForHold } from '../take-answers.ts'
import { namesForHold } from '../take-places.ts'

/** Books the chosen holds of a series, all or none. Repeating the request returns the same bookings. */
export async function completeSeries(
  service: Service,
  request: CompleteRequest,
  placeholders: string[],
): Promise<Completion[]> {
  if (!placeholders.every(isUuid)) throw invalidField('placeholder_ids', 'uuid:holds')
  const wanted = [...new Set(placeholders.map(one => one.toLowerCase()))]
  const target = { uuid: request.targetUuid, from: request.start, to: request.end, itsOwnTimes: false }
  const contact = request.consumer && { ...request.consumer, language: request.language }
  const targeted = { ...request, target, contact, bookingUuid: randomUUID() }
  return service.db
    .transaction(tx => completeIn(tx, service, targeted, wanted), isRivalPerson)
    .catch(refuseConstraint)
}

async function completeIn(
  tx: Transaction,
  service: Service,
  request: TargetedRequest,
  placeholders: string[],
): Promise<Completion[]> {
  const seen = await findHeld(tx, placeholders)
  const places = [...new Set(seen.flatMap(one => one?.resourceId ?? []))]
  if (places.length !== 1) throw slotTaken('hold-expired:series')
  await lockByIds(tx, places)
  const held = await findHeld(tx, placeholders)
  const owns = held.filter(one => one !== null)
  if (owns.length < placeholders.length) throw slotTaken('hold-expired:series')
  if (owns.every(one => one.completionDigest === request.digest))
    return owns.map(one => completionAnsweredBefore(service, one, request))
  for (const own of owns) refuseUnusable(own, request)
  const [first] = owns
  const channel = first!.channels.find(one => one.key === first!.channelKey)
  if (!channel) throw notFound('Timeslot', request.targetUuid, 'timeslot_uuid')
  const asked = { ...request, target: { uuid: first!.appointmentUuid } }
  const [booker = null] = await findBookers(tx, [asked])
  const parties = []
  for (const [index, own] of owns.entries()) {
    const taken = { ...answersForHold(request, own), ...namesForHold(request, own) }
    const one = { ...request, placeholder: own.placeholder }
    const party = await resolveBooker(
      tx,
      { channel, provider: { id: own.providerId } },
      one,
      own,
      booker,
      taken,
    )
    // The person is saved once, and the series counts as one booking.
    const isFirst = index === 0
    parties.push({
      ...party,
      booker: isFirst ? party.booker : null,
      isCounted: isFirst && party.isCounted,
      own,
    })
  }
  const seriesId = randomUUID()
  const ids = owns.map(one => one.participationId)
  await insertSeriesPlaces(tx, first!.providerId, seriesId, ids)
  await nameSeries(
    tx,
    seriesId,
    owns.filter(one => one.isFirst).map(one => one.appointmentId),
  )
  return completeHeld(tx, service, parties, { inOneEmail: true })
}

function refuseUnusable(own: Held, { hasAgreed }: CompleteRequest) {
  if (own.state === 'BOOKED' || own.state === 'REQUESTED' || own.completionDigest !== null)
    throw alreadyBooked()
  const isUsable =
    own.live &&
    own.appointmentState === 'ACTIVE' &&
    !own.resourceArchived &&
    own.startAt > own.now &&
    own.replaces === null
  if (!isUsable) throw slotTaken('hold-expired:series')
  if (own.termsRequired && !hasAgreed) throw termsNotAccepted()
}
