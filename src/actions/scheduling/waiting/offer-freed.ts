import { randomUUID } from 'node:crypto'
import { bumpRevision } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { findBookingsById } from '../../../db/booking/bookings.ts'
import { insertOfferHold } from '../../../db/booking/offer-holds.ts'
import { fromNow, loadWindows, type ResourceWindow } from '../../../db/booking/windows.ts'
import { channelsWaitedFor, insertOffer } from '../../../db/scheduling/waiting-line.ts'
import {
  type FreedTime,
  findNextInLine,
  freedByAppointments,
  type NextInLine,
} from '../../../db/scheduling/waiting-takers.ts'
import { findProviderById, type ProviderRow } from '../../../db/setup/providers.ts'
import { offerEmail } from '../../../messages/compose-waiting.ts'
import { type Actor, serviceActor } from '../../../rules/messages/events.ts'
import { blockedByPlacement, type Placement, place, withPlacement } from '../../../rules/offers/slots.ts'
import { day } from '../../../rules/offers/window.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'
import { type Candidate, candidatesIn } from './candidates.ts'

// Holds freed time for the first person on the waiting list who would take it. Runs in the transaction that
// frees the time and under its lock, so no one can book it in between. Every action that gives up a place
// calls one of the two functions below; everything else is found by its revision (search.ts).

/** Beyond this, the search that follows each change goes on. */
const maxOffers = 20

/** These Appointments were cancelled, deleted, or have a place less taken. */
export async function offerFreedPlaces(tx: Queryable, service: Service, appointmentIds: number[]) {
  if (appointmentIds.length === 0) return
  for (const { providerId, freed } of await freedByAppointments(tx, appointmentIds))
    await offerFreedTimes(tx, service, providerId, freed)
}

/** These times were given up: call it with their Resources locked. */
export async function offerFreedTimes(
  tx: Queryable,
  service: Service,
  providerId: number,
  freed: FreedTime[],
): Promise<number> {
  if (freed.length === 0) return 0
  const channels = await channelsWaitedFor(tx, providerId)
  if (channels.length === 0) return 0
  const provider = (await findProviderById(tx, providerId))!
  let made = 0
  for (const [resourceId, spans] of Map.groupBy(freed, one => one.resourceId)) {
    const from = Math.min(...spans.map(one => one.from)) - day
    const to = Math.max(...spans.map(one => one.to))
    const wanted = channels.map(channelKey => ({ resourceId, channelKey }))
    const windows = await loadWindows(tx, wanted, fromNow(from, to))
    made += await offerIn(tx, service, provider, windows, spans)
  }
  return made
}

async function offerIn(
  tx: Queryable,
  service: Service,
  provider: ProviderRow,
  loaded: ResourceWindow[],
  spans: FreedTime[],
): Promise<number> {
  let windows = loaded
  const passedOver: number[] = []
  for (let made = 0; made < maxOffers; ) {
    const candidates = candidatesIn(provider, windows, spans)
    const next = await findNextInLine(tx, provider.id, candidates, passedOver)
    if (!next) return made
    const offered = await makeOffer(tx, service, provider, next, candidates[next.position]!)
    if (!offered) {
      passedOver.push(next.entryId)
      continue
    }
    made++
    windows = windows.map(one => after(one, offered))
  }
  return maxOffers
}

type Offered = { placement: Placement; appointmentUuid: string; appointmentId: number }

type OfferOptions = { actor?: Actor; byHand?: boolean }

/** Null if the person has just got another offer. */
export async function makeOffer(
  tx: Queryable,
  service: Service,
  provider: ProviderRow,
  who: Omit<NextInLine, 'position'>,
  { loaded, request, ...slot }: Candidate,
  { actor = serviceActor, byHand = false }: OfferOptions = {},
): Promise<Offered | null> {
  const placement = place(loaded.window, { ...request, places: who.places }, loaded.now)
  if ('reason' in placement) return null
  const placeholder = randomUUID()
  const { entryId, customerId, name, email, mobile, language, locale, replaces } = who
  const { resourceId, start, end, expiresAt } = slot
  const times = { resourceId, start, end, expiresAt }
  const offer = await insertOffer(tx, provider.id, { entryId, customerId, placeholder, ...times, byHand })
  if (!offer) return null
  const appointmentUuid = placement.kind === 'join' ? placement.appointment.uuid : randomUUID()
  const person = { customerId, name, email, mobile, language, locale, timeZone: who.entryZone, replaces }
  const held = await insertOfferHold(tx, loaded, placement, {
    ...person,
    appointmentUuid,
    placeholder,
    expiresAt,
  })
  await bumpRevision(tx, [{ resourceId, ...blockedByPlacement(placement) }])
  const [booking] = await findBookingsById(tx, [held.participationId])
  await recordEvents(tx, service, {
    actor,
    provider,
    events: { 'waiting.offered': [entryId], 'appointment.changed': [held.appointmentId] },
    extraEmails: offerEmail(service, booking!, { uuid: offer.uuid, expiresAt }, loaded.now),
  })
  return { placement, appointmentUuid, appointmentId: held.appointmentId }
}

/** The window with the new hold in it, for the next person in line. */
function after(
  loaded: ResourceWindow,
  { placement, appointmentUuid, appointmentId }: Offered,
): ResourceWindow {
  const window = withPlacement(loaded.window, placement, appointmentUuid)
  const withId = (one: (typeof window.appointments)[number]) =>
    one.uuid === appointmentUuid ? { ...one, id: appointmentId } : one
  return {
    ...loaded,
    hasLeftovers: false,
    window: { ...window, appointments: window.appointments.map(withId) },
  }
}
