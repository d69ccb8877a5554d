import type { Queryable } from '../../db/base/pool.ts'
import { secondsToWait } from '../../db/base/rates.ts'
import { type Booking, findBookingsById, findBookingsByUuid } from '../../db/booking/bookings.ts'
import type { Held } from '../../db/booking/held.ts'
import { bookingsWith, customersWith, noteErasureRequest, ownerOf } from '../../db/booking/own-page.ts'
import { queueMessages } from '../../db/mails.ts'
import { type CustomerRow, findCustomerByUuid } from '../../db/scheduling/customers.ts'
import { type EntryRecord, entriesOfCustomer } from '../../db/scheduling/waiting-entries.ts'
import { findProviderByUuid, type ProviderRow } from '../../db/setup/providers.ts'
import { type Language, pickLanguage } from '../../languages.ts'
import { myLink, readMyToken } from '../../links.ts'
import { ownPageEmail } from '../../messages/content/own-page.ts'
import { consumerActor } from '../../rules/messages/events.ts'
import { noticeRecipient } from '../../rules/people/contacts.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { countOwnPageLink } from './limits.ts'
import { proposalsTo } from './propose.ts'

// A person's own page at one Provider. Who reads the mailbox sees and changes what is booked under its
// address, as with the links of each booking; a stranger learns nothing, not even whether the address is known.

export type OwnPage = {
  provider: ProviderRow
  email: string
  language: Language
  customers: CustomerRow[]
  /** The latest first. */
  bookings: Booking[]
  entries: EntryRecord[]
  /** What agents have proposed, until the person confirms. */
  proposals: Held[]
}

/** Null for a token that is none. */
type OpenedOwnPage = { provider: ProviderRow; page: OwnPage | null } | null

/** Without a page if the link has expired, or the address is another one now; a new link can be sent then. */
export async function openOwnPage(service: Service, token: string): Promise<OpenedOwnPage> {
  const read = readMyToken(service, token)
  const provider = read && (await findProviderByUuid(service.db, read.providerUuid))
  if (!provider) return null
  service.suspensions.refuseProvider(provider.id)
  const owner = read.isExpired ? null : await ownerIn(service.db, read)
  const isTheirs = owner?.providerId === provider.id && read.isFor(owner.email)
  return { provider, page: isTheirs ? await readPage(service, provider, owner) : null }
}

async function readPage(service: Service, provider: ProviderRow, owner: Owner): Promise<OwnPage> {
  const { db } = service
  const email = owner.email!
  const customers = await customersWith(db, provider.id, email)
  // A person found by their number may have booked with another address.
  const asked = owner.customerUuid ? await findCustomerByUuid(db, owner.customerUuid) : null
  const ids = [...new Set([...customers, ...(asked ? [asked] : [])].map(one => one.id))]
  const found = await findBookingsById(db, await bookingsWith(db, provider.id, email, ids))
  const isTheirs = (booking: Booking) => booking.email?.toLowerCase() === email.toLowerCase()
  const bookings = found.filter(isTheirs).toSorted((one, other) => other.startAt - one.startAt)
  const entries = (await Promise.all(customers.map(one => entriesOfCustomer(db, one.id)))).flat()
  const spoken = bookings[0]?.language ?? customers[0]?.language
  const language = pickLanguage(spoken, provider.language)
  const proposals = await proposalsTo(service, provider.id, [email])
  return { provider, email, language, customers, bookings, entries, proposals }
}

type Asked = { kind: 'booking' | 'customer'; uuid: string }
type Owner = { providerId: number; email: string | null; customerUuid: string | null }

async function ownerIn(db: Queryable, { kind, uuid }: Asked): Promise<Owner | null> {
  if (kind === 'booking') return (await findBookingsByUuid(db, uuid))[0] ?? null
  const customer = await findCustomerByUuid(db, uuid)
  return customer && { ...customer, customerUuid: customer.uuid }
}

/** Sends the link if the address is known here, at most once in ten minutes. Tells the caller nothing. */
export async function sendOwnPageLink(service: Service, provider: ProviderRow, email: string) {
  const [customer] = await customersWith(service.db, provider.id, email)
  const [id] = customer ? [] : await bookingsWith(service.db, provider.id, email, [])
  const [booking] = id ? await findBookingsById(service.db, [id]) : []
  const known = customer ? ('customer' as const) : ('booking' as const)
  const uuid = customer?.uuid ?? booking?.participationUuid
  // The address as it is known: what was typed may differ in case.
  const to = customer?.email ?? booking?.email
  if (!uuid || !to) return
  const language = pickLanguage(customer?.language ?? booking?.language, provider.language)
  const link = myLink(service, { providerUuid: provider.uuid }, { kind: known, uuid, email: to })
  const name = customer?.name ?? booking?.name ?? ''
  try {
    await service.db.transaction(async tx => {
      await countOwnPageLink(tx, service, provider.id, to)
      await queueMessages(tx, [ownPageEmail(service, 'my-link', provider, { name, link }, { to, language })])
    })
  } catch (error) {
    if (secondsToWait(error) === null) throw error
  }
}

/** Tells the Provider, once, that the person wants their data erased. Staff decide: the law may require to keep it. */
export async function requestErasure(service: Service, { provider, customers }: OwnPage) {
  const [first] = customers
  if (!first) return
  await service.db.transaction(async tx => {
    const asked = await noteErasureRequest(
      tx,
      customers.map(one => one.id),
    )
    if (asked.length === 0) return
    const events = { 'customer.erasure_requested': asked }
    await recordEvents(tx, service, { actor: consumerActor, provider, events })
    const to = noticeRecipient(null, provider, await ownerOf(tx, provider.id))
    if (!to) return
    const link = `${service.baseUrl}/console/customers/${first.uuid}`
    const name = customers.map(one => one.name).join(', ')
    const recipient = { to: to.email, language: to.language as Language }
    await queueMessages(tx, [ownPageEmail(service, 'erasure-notice', provider, { name, link }, recipient)])
  })
}
