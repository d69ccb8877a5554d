import type { Transaction } from '../../../db/base/pool.ts'
import { type BookerContact, findBookers, isNewCustomer } from '../../../db/booking/people.ts'
import { fillsInCustomer, saveBookers } from '../../../db/booking/people-writes.ts'
import { findRefs } from '../../../db/booking/refs.ts'
import { queueMessages } from '../../../db/mails.ts'
import { findCustomerByUuid, findInvitedCustomer } from '../../../db/scheduling/customers.ts'
import { type EntryRecord, entriesById, insertEntry } from '../../../db/scheduling/waiting-entries.ts'
import { listChannels } from '../../../db/setup/channels.ts'
import { findProductByUuid } from '../../../db/setup/products.ts'
import { findProviderById, type ProviderRow } from '../../../db/setup/providers.ts'
import { channelHidden, invalidField, invalidToken, notFound, notInvited } from '../../../errors.ts'
import { clockNow } from '../../../lib/clock.ts'
import { leaveLink } from '../../../links.ts'
import { confirmEmail } from '../../../messages/compose-waiting.ts'
import { emailsOfProvider } from '../../../messages/emails-of-provider.ts'
import { consumerActor } from '../../../rules/messages/events.ts'
import type { ChannelKey } from '../../../rules/offers/channels.ts'
import { isUuid } from '../../../rules/references.ts'
import { startOfLocalDay, wallOfInstant } from '../../../rules/time/zones.ts'
import { allWeekdays } from '../../../rules/waiting/wish.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'
import { insertWaiting, readWish, type WishInput, wishDigest } from '../../scheduling/waiting/entries.ts'
import { isRivalPerson } from '../complete.ts'
import { bookingToChange } from '../consumer-cancel.ts'
import { countJoined } from '../limits.ts'
import { resolveRef } from '../resolve-ref.ts'
import { refuseTooManyPlaces } from '../take-places.ts'

type JoinRequest = WishInput & {
  /** Resources or channels; the first one decides about the channel. */
  refs: string[]
  channelKey: ChannelKey
  productUuid: string
  contact: BookerContact
  note: string | null
  places: number
  locale: string | null
  timeZone: string | null
  /** Null if it is not counted. */
  client: string | null
}

/**
 * A consumer asks to join. The entry counts once the link in the email is confirmed. The answer is the same
 * whether the person is known, waits already, or not.
 */
export async function joinList(
  service: Service,
  request: JoinRequest,
): Promise<{ entry: EntryRecord; leaveLink: string }> {
  const time = readWish(request)
  const work = async (tx: Transaction) => {
    const { provider, resourceIds, channelKey } = await placesOf(tx, service, request)
    const product = isUuid(request.productUuid) ? await findProductByUuid(tx, request.productUuid) : null
    if (!product || product.providerId !== provider.id || product.deletedAt !== null)
      throw notFound('Product', request.productUuid, 'product_uuid')
    refuseTooManyPlaces(product, request.places)
    if (time.toDate < todayAt(provider.timeZone)) throw invalidField('to', 'future:period')
    if (request.client !== null)
      await countJoined(tx, service, { resourceId: resourceIds[0]!, email: request.contact.email })
    const customerId = await saveCustomer(tx, service, provider, request.contact)
    const wish = { ...time, productId: product.id, resourceIds }
    const id = await insertEntry(tx, provider.id, {
      ...wish,
      customerId,
      channelKey,
      note: request.note,
      places: request.places,
      replaces: null,
      state: 'UNCONFIRMED',
      language: request.contact.language,
      locale: request.locale,
      timeZone: request.timeZone,
      wish: wishDigest(wish, null),
    })
    const [entry] = await entriesById(tx, [id!])
    // What was typed is shown and mailed to this address only.
    const addressed = {
      ...entry!,
      customerEmail: request.contact.email,
      customerName: nameOf(request.contact),
    }
    await queueMessages(tx, confirmEmail(service, provider, addressed))
    return { entry: addressed, leaveLink: leaveLink(service, addressed) }
  }
  return service.db.transaction(work, isRivalPerson)
}

const nameOf = ({ firstName, lastName }: BookerContact) => `${firstName} ${lastName}`

const todayAt = (timeZone: string) =>
  new Date(wallOfInstant(startOfLocalDay(clockNow(), timeZone), timeZone)).toISOString().slice(0, 10)

async function placesOf(tx: Transaction, service: Service, { refs, channelKey, contact }: JoinRequest) {
  const { found } = await findRefs(tx, refs)
  const named = refs.map((ref, index) => resolveRef(found, ref, index + 1))
  const [first] = named as [(typeof named)[number]]
  service.suspensions.refuseProvider(first.providerId)
  if (named.some(one => one.providerId !== first.providerId)) throw notFound('Resource', refs[1]!, 'ref')
  const key = first.channelKey ?? channelKey
  const channels = await listChannels(tx, first.resourceId)
  const channel = channels.find(one => one.key === key)
  if (!channel?.visible || !channel.waitingList) throw channelHidden()
  if (
    channel.customersOnly &&
    !(await findInvitedCustomer(tx, first.providerId, contact.email, contact.mobileKey))
  )
    throw notInvited()
  const provider = (await findProviderById(tx, first.providerId))!
  await refuseUnreachable(tx, service, provider)
  return { provider, resourceIds: [...new Set(named.map(one => one.resourceId))], channelKey: key }
}

/** Without a mail server, no link can be confirmed and no offer arrives. In a sandbox, tests read the emails. */
async function refuseUnreachable(tx: Transaction, service: Service, provider: ProviderRow) {
  if (!service.config.sandbox && (await emailsOfProvider(service, provider, tx)) === 'off')
    throw channelHidden('no-email')
}

/** Finds or creates the person, as a booking would. */
async function saveCustomer(
  tx: Transaction,
  service: Service,
  provider: ProviderRow,
  contact: BookerContact,
): Promise<number> {
  // By address only: a number could be another person's, who would then get the offers.
  const byAddress = { ...contact, mobileKey: null }
  const [booker] = await findBookers(tx, [{ target: { uuid: provider.uuid }, contact: byAddress }])
  await saveBookers(tx, [booker!])
  const { customerUuid } = booker!
  const events = {
    'customer.created': isNewCustomer(booker!) ? [{ customerUuid }] : [],
    'customer.changed': fillsInCustomer(booker!) ? [{ customerUuid }] : [],
  }
  await recordEvents(tx, service, { actor: consumerActor, provider, events })
  return (await findCustomerByUuid(tx, customerUuid))!.id
}

/** "Tell me if something earlier becomes available": the link proves who asks, so it counts at once. */
export async function waitForEarlier(service: Service, token: string): Promise<EntryRecord> {
  const booking = await bookingToChange(service, token, 'move')
  if (booking?.state !== 'BOOKED' || booking.customerUuid === null) throw invalidToken()
  return service.db.transaction(async tx => {
    const provider = (await findProviderById(tx, booking.providerId))!
    const customer = await findCustomerByUuid(tx, booking.customerUuid!)
    const product = await findProductByUuid(tx, booking.productUuid)
    const key = booking.channelKey ?? 'RESOURCE_PUBLIC'
    const channel = (await listChannels(tx, booking.resourceId)).find(one => one.key === key)
    if (!channel?.waitingList) throw channelHidden()
    await refuseUnreachable(tx, service, provider)
    const last = new Date(wallOfInstant(booking.startAt, provider.timeZone)).toISOString().slice(0, 10)
    const wish = {
      productId: product!.id,
      resourceIds: [booking.resourceId],
      fromDate: todayAt(provider.timeZone),
      toDate: last,
      weekdays: allWeekdays,
      fromMinute: 0,
      toMinute: 1440,
    }
    const { entry } = await insertWaiting(
      tx,
      { service, actor: consumerActor, provider },
      {
        ...wish,
        customerId: customer!.id,
        channelKey: key,
        note: null,
        replaces: booking.participationId,
        state: 'WAITING',
        language: booking.language,
        locale: booking.locale,
        timeZone: booking.consumerZone,
        // Once for each booking, whatever the day it was asked on.
        wish: `earlier:${booking.participationId}`,
      },
    )
    return entry
  })
}
