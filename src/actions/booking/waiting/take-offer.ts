import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../../db/base/pool.ts'
import { setEntryState } from '../../../db/scheduling/waiting-entries.ts'
import {
  endOffer,
  findOffer,
  type LiveOffer,
  lockForOffers,
  searchAgainFor,
} from '../../../db/scheduling/waiting-line.ts'
import { invalidToken, slotTaken } from '../../../errors.ts'
import { consumerActor } from '../../../rules/messages/events.ts'
import type { Service } from '../../../service.ts'
import { participationKey, rememberMove } from '../../recent-moves.ts'
import { recordEvents } from '../../record-events.ts'
import { completeIn, isRivalPerson } from '../complete.ts'
import { moveIn, readSeen } from '../move.ts'
import { refuseConstraint } from '../refuse-slot.ts'
import type { Completion, TargetedRequest } from '../requests.ts'

/** The offer behind a link, over or not. */
export async function offerOfToken(service: Service, token: string): Promise<LiveOffer | null> {
  const uuid = service.signer.open('offer', token)
  if (uuid === null) return null
  const offer = await findOffer(service.db, uuid)
  service.suspensions.refuseProvider(offer?.providerId)
  return offer
}

/**
 * Completes the hold as a consumer would, with the same emails and events. For "earlier than mine" it is a
 * move: the old place is released in the same transaction and goes to the next in line.
 */
export async function takeOffer(service: Service, token: string, hasAgreed: boolean): Promise<Completion> {
  const offer = await offerOfToken(service, token)
  if (!offer) throw invalidToken()
  if (!offer.isLive) throw slotTaken('offer-ended')
  return offer.replacesUuid === null ? book(service, offer, hasAgreed) : moveThere(service, offer)
}

function book(service: Service, { uuid }: LiveOffer, hasAgreed: boolean): Promise<Completion> {
  const work = async (tx: Transaction) => {
    const seen = await findOffer(tx, uuid)
    // Resources are locked before offers, as everywhere.
    await lockForOffers(tx, seen!.resourceId)
    const offer = (await findOffer(tx, uuid))!
    if (!offer.isLive) throw slotTaken('offer-ended')
    await recordTaken(tx, service, offer)
    return completeIn(tx, service, requestOf(offer, hasAgreed), false)
  }
  return service.db.transaction(work, isRivalPerson).catch(refuseConstraint)
}

async function moveThere(service: Service, { uuid, replacesUuid }: LiveOffer): Promise<Completion> {
  const arrived = performance.now()
  const moved = await service.db
    .transaction(async tx => {
      const offer = (await findOffer(tx, uuid))!
      if (!offer.isLive) throw slotTaken('offer-ended')
      const { refs, targetUuid, start, end, placeholder } = requestOf(offer, true)
      const seen = await readSeen(tx, replacesUuid!)
      const place = { refs, targetUuid, start, end, placeholder, productUuid: null }
      const result = await moveIn(tx, service, seen, {
        ...place,
        client: null,
        answers: null,
        language: null,
        oldStart: null,
        arrived,
        actor: null,
      })
      await recordTaken(tx, service, offer)
      return result
    })
    .catch(refuseConstraint)
  rememberMove(...moved.who.map(participationKey))
  return moved.completion
}

/** Of two answers at once, one wins. */
async function recordTaken(tx: Transaction, service: Service, offer: LiveOffer) {
  if (!(await endOffer(tx, offer.id, 'TAKEN'))) throw slotTaken('offer-ended')
  await setEntryState(tx, [offer.entryId], 'BOOKED')
  await recordEvents(tx, service, {
    actor: consumerActor,
    provider: { id: offer.providerId, crmId: offer.crmId },
    events: { 'waiting.taken': [offer.entryId] },
  })
  await searchAgainFor(tx, offer.providerId, [offer.customerId])
}

function requestOf(offer: LiveOffer, hasAgreed: boolean): TargetedRequest {
  const targetUuid = offer.appointmentUuid!
  return {
    refs: [offer.resourceUuid],
    channelKey: offer.channelKey,
    targetUuid,
    target: { uuid: targetUuid, from: offer.startAt, to: offer.endAt, itsOwnTimes: false },
    productUuid: null,
    start: offer.startAt,
    end: offer.endAt,
    placeholder: offer.placeholder,
    consumer: null,
    contact: null,
    customerReference: offer.customerReference,
    client: null,
    message: offer.note,
    language: offer.language,
    locale: offer.locale,
    timeZone: offer.entryZone,
    hasAgreed,
    places: null,
    placeNames: [],
    sent: { answers: null, fields: {}, isAskedLater: true },
    digest: `offer:${offer.uuid}`,
    bookingUuid: randomUUID(),
  }
}
