import type { Queryable } from '../../db/base/pool.ts'
import { countOrRefuse, type Limit } from '../../db/base/rates.ts'
import { pseudonym } from '../../lib/hash.ts'
import { mailboxOf } from '../../rules/people/clients.ts'
import type { Service } from '../../service.ts'

// Limits shared by all clients. They count in the transaction that holds or books, so refused requests do not
// count, and they need no round trip of their own.

const minute = 60
const hour = 3600

/** Counts the holds of consumers at each Resource. */
export const countHeld = (tx: Queryable, { config }: Service, resourceIds: number[]) =>
  count(
    tx,
    resourceIds.map(id => ({ name: `reserve:${id}`, most: config.rateLimitResource, windowSeconds: minute })),
  )

/** Counts the bookings of consumers at each Resource, and those that one mailbox receives emails about. */
export function countBooked(
  tx: Queryable,
  service: Service,
  bookings: { resourceId: number; email: string | null }[],
) {
  const atResources = bookings.map(({ resourceId }) => ({
    name: `complete:${resourceId}`,
    most: service.config.rateLimitResource,
    windowSeconds: minute,
  }))
  const toMailboxes = bookings.flatMap(({ email }) => (email === null ? [] : toMailbox(service, email)))
  return count(tx, [...atResources, ...toMailboxes])
}

/** Counts who joins the waiting list: each request sends an email, as a booking does. */
export const countJoined = (
  tx: Queryable,
  service: Service,
  { resourceId, email }: { resourceId: number; email: string },
) =>
  count(tx, [
    { name: `waiting:${resourceId}`, most: service.config.rateLimitResource, windowSeconds: minute },
    toMailbox(service, email),
  ])

/** Counts proposals of agents: each sends an email. */
export const countProposed = (tx: Queryable, service: Service, email: string) =>
  count(tx, [toMailbox(service, email)])

/** Counts how often the links of one booking are sent again. */
export const countSentAgain = (
  tx: Queryable,
  service: Service,
  booking: { participationId: number; email: string },
) =>
  count(tx, [
    { name: `links:${booking.participationId}`, most: 1, windowSeconds: 10 * minute },
    toMailbox(service, booking.email),
  ])

/** Counts how often the link to a person's own page is sent. */
export const countOwnPageLink = (tx: Queryable, service: Service, providerId: number, email: string) => {
  const mailbox = pseudonym(service.signer.key('client'), mailboxOf(email))
  const name = `my:${providerId}:${mailbox}`
  return count(tx, [{ name, most: 1, windowSeconds: 10 * minute }, toMailbox(service, email)])
}

const toMailbox = ({ config, signer }: Service, email: string): Limit => ({
  name: `mail:${pseudonym(signer.key('client'), mailboxOf(email))}`,
  most: config.rateLimitMail,
  windowSeconds: hour,
})

async function count(tx: Queryable, limits: Limit[]) {
  const set = limits.filter(one => one.most > 0)
  if (set.length > 0) await countOrRefuse(tx, set)
}
