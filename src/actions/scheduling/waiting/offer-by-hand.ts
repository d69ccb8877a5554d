import type { ProviderContext } from '../../../callers.ts'
import { fromNow, loadWindows, type ResourceWindow } from '../../../db/booking/windows.ts'
import { type EntryRecord, entriesById, lockEntry } from '../../../db/scheduling/waiting-entries.ts'
import { lockForOffers } from '../../../db/scheduling/waiting-line.ts'
import { findResource } from '../../../db/setup/resources.ts'
import { invalidField, missingField, notFound, Refusal } from '../../../errors.ts'
import { day } from '../../../rules/offers/window.ts'
import { parseInstant } from '../../../rules/time/time.ts'
import { listBookables, toCandidate } from './candidates.ts'
import { makeOffer } from './offer-freed.ts'

/**
 * Staff offer a free time to a person out of turn. Notice, horizon and visibility bind consumers, not staff;
 * the wish does not bind them either, but the time must be free.
 */
export async function offerByHand(
  { service, actor, provider }: ProviderContext,
  uuid: string,
  input: { resourceReference: string; start: string },
): Promise<EntryRecord> {
  const start = parseInstant(input.start, provider.timeZone)
  if (start === null) throw invalidField('start', 'date-time:local')
  return service.db.transaction(async tx => {
    const resource = await findResource(tx, provider.id, input.resourceReference)
    if (!resource) throw notFound('Resource', input.resourceReference, 'resourceReference')
    await lockForOffers(tx, resource.id)
    const entry = await lockEntry(tx, uuid)
    if (!entry || entry.providerId !== provider.id) throw notFound('Waiting list entry', uuid)
    if (entry.state !== 'WAITING') throw notWaiting(entry)
    if (!entry.customerEmail) throw missingField('customerReference', 'customer-email')
    const wanted = [{ resourceId: resource.id, channelKey: entry.channelKey }]
    const [loaded] = await loadWindows(tx, wanted, fromNow(start - day, start + day))
    const free = openToStaff(loaded!)
    const product = free.window.products.find(one => one.id === entry.productId)
    if (!product) throw new Refusal('conflict', { rule: 'product' })
    const atStart = { now: free.now, wants: (id: number) => id === product.id, from: start, to: start + 1 }
    const bookable = listBookables(free.window, atStart).find(one => one.capacityLeft >= entry.places)
    if (!bookable) throw new Refusal('conflict', { rule: 'not-free' })
    const [candidate] = toCandidate(provider, free, product, bookable)
    if (!candidate) throw new Refusal('conflict', { rule: 'too-soon' })
    const who = {
      entryId: entry.id,
      customerId: entry.customerId,
      replaces: entry.replaces,
      name: entry.customerName,
      email: entry.customerEmail,
      mobile: null,
      language: entry.language,
      locale: entry.locale,
      entryZone: entry.entryZone,
      places: entry.places,
    }
    const made = await makeOffer(
      tx,
      service,
      provider,
      who,
      { ...candidate, position: 0 },
      { actor, byHand: true },
    )
    if (!made) throw reasonFor(entry, start)
    return (await entriesById(tx, [entry.id]))[0]!
  })
}

const notWaiting = ({ state }: EntryRecord) =>
  new Refusal('conflict', {
    rule: state === 'OFFERED' ? 'open-offer' : state === 'UNCONFIRMED' ? 'unconfirmed' : 'ended',
  })

function reasonFor({ offers }: EntryRecord, start: number) {
  const wasOffered = offers.some(one => one.startAt === start)
  return new Refusal('conflict', { rule: wasOffered ? 'offered-before' : 'open-offer:entry' })
}

const openToStaff = (loaded: ResourceWindow): ResourceWindow => {
  const open = {
    visible: true,
    productIds: null,
    minimumNoticeMinutes: 0,
    horizonDays: null,
    showFull: false,
  }
  return {
    ...loaded,
    channel: { ...loaded.channel, ...open },
    window: { ...loaded.window, channel: { ...loaded.window.channel, ...open } },
  }
}
