import { createHash } from 'node:crypto'
import { clockNow } from './lib/clock.ts'
import type { Service } from './service.ts'

type CancelLinkParts = {
  participationUuid: string
  appointmentUuid: string
  resourceUuid: string
  crm: string
  startAt: number
}

const day = 86_400_000

/**
 * The database decides until when a booking can be cancelled or answered. The token itself expires some time
 * after the start: until then its page can explain that the Appointment is over, and a link that leaks years
 * later opens nothing.
 */
const endOf = ({ startAt }: { startAt: number }) => startAt + 30 * day

const verificationDays = 90

/** When the last link expires that was signed until now, given the latest start of a booked Appointment. */
export const latestLinkEnd = (lastStart: number | null): number =>
  Math.max(clockNow() + verificationDays * day, lastStart === null ? 0 : endOf({ startAt: lastStart }))

type Signed = { participationUuid: string; startAt: number }

/** The cancel page, for emails and calendars: short, with nothing but the token. */
export function shortCancelLink({ signer, baseUrl }: Service, booking: Signed): string {
  return `${baseUrl}/cancel/${signer.sign('cancel', booking.participationUuid, endOf(booking))}`
}

/**
 * The cancel page, with the parameters that a page with an embedded widget passes on, so that the link works
 * with and without a widget. All ids belong to this booking, so that two links do not reveal that they belong
 * to one person.
 */
export function cancelLink(
  service: Service,
  parts: CancelLinkParts,
  short = shortCancelLink(service, parts),
): string {
  const token = short.slice(short.lastIndexOf('/') + 1)
  const query = new URLSearchParams({
    ref: parts.resourceUuid,
    resId: parts.resourceUuid,
    pDataPlatform: parts.crm,
    pDataId: parts.participationUuid,
    'X-SIGNED-APP-CUSTOMER': token,
  })
  return `${short}?${query}#/appointment/${parts.appointmentUuid}`
}

/** The page to reschedule a booking. */
export function moveLink({ signer, baseUrl }: Service, booking: Signed): string {
  return `${baseUrl}/move/${signer.sign('move', booking.participationUuid, endOf(booking))}`
}

/** The page on which the consumer answers the questions of the booking form later. */
export function answersLink({ signer, baseUrl }: Service, booking: Signed): string {
  return `${baseUrl}/answers/${signer.sign('answers', booking.participationUuid, endOf(booking))}`
}

/** The confirmation as a page: it shows the booking and changes nothing. */
export function confirmationLink({ signer, baseUrl }: Service, booking: Signed): string {
  return `${baseUrl}/booked/${signer.sign('booked', booking.participationUuid, endOf(booking))}`
}

/** The times for the same service with the same person or place. */
export function bookAgainPath(booking: {
  resourceUuid: string
  productUuid: string
  channelKey: string | null
}): string {
  const channelKey = booking.channelKey === 'RESOURCE_PUBLIC' ? null : booking.channelKey
  const query = new URLSearchParams({ product: booking.productUuid, ...(channelKey && { channelKey }) })
  return `/book/${booking.resourceUuid}?${query}`
}

/** The pages on which the provider's contact answers a request. */
export function decisionLink({ signer, baseUrl }: Service, answer: 'accept' | 'decline', booking: Signed) {
  return `${baseUrl}/${answer}/${signer.sign('decide', booking.participationUuid, endOf(booking))}`
}

/** The page on which a person confirms details that a booking entered; sent only to their own address. */
export function detailsLink({ signer, baseUrl }: Service, userUuid: string) {
  return `${baseUrl}/details/${signer.sign('details', userUuid, clockNow() + verificationDays * day)}`
}

/** The page on which a User verifies their address. */
export function verificationLink({ signer, baseUrl }: Service, user: { uuid: string; nonce: string }) {
  const end = clockNow() + verificationDays * day
  return `${baseUrl}/verify/${signer.sign('verify', `${user.uuid}:${user.nonce}`, end)}`
}

/** The page on which a person on the waiting list takes or declines an offer. */
export function offerLink({ signer, baseUrl }: Service, offer: { uuid: string; expiresAt: number }) {
  return `${baseUrl}/offer/${signer.sign('offer', offer.uuid, offer.expiresAt + 30 * day)}`
}

/** The page on which a person confirms what an agent proposed; sent only to their address. */
export function proposalLink({ signer, baseUrl }: Service, booking: Signed) {
  return `${baseUrl}/confirm/${signer.sign('confirm', booking.participationUuid, endOf(booking))}`
}

const ownPageDays = 60

/** Whose page it is: known by a booking or a Customer, as long as that one has this address. */
export type PageOwner = { kind: 'booking' | 'customer'; uuid: string; email: string }

const markOf = (email: string) =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('base64url').slice(0, 16)

/** A person's own page at one Provider: all bookings under their address. Sent only to that address. */
export function myLink(
  { signer, baseUrl }: Service,
  { providerUuid }: { providerUuid: string },
  { kind, uuid, email }: PageOwner,
): string {
  const subject = `${kind === 'booking' ? 'b' : 'c'}:${uuid}:${markOf(email)}:${providerUuid}`
  return `${baseUrl}/my/${signer.sign('my', subject, clockNow() + ownPageDays * day)}`
}

/**
 * Who a token is about, expired ones included; `isFor` says whether the address that is known now is the one it
 * was sent to.
 */
export function readMyToken({ signer }: Service, token: string) {
  const [letter, uuid, mark, providerUuid] = signer.open('my', token, 0)?.split(':') ?? []
  if (!uuid || !providerUuid) return null
  const kind = letter === 'b' ? ('booking' as const) : ('customer' as const)
  const isFor = (email: string | null) => email !== null && markOf(email) === mark
  return { kind, uuid, providerUuid, isFor, isExpired: signer.open('my', token) === null }
}

type Waiting = { uuid: string; toDate: string }

const endOfWaiting = ({ toDate }: Waiting) => Date.parse(toDate) + 60 * day

/** The page of an entry of the waiting list, for emails: confirm, change, leave. */
export function waitingLink({ signer, baseUrl }: Service, entry: Waiting) {
  return `${baseUrl}/waiting/${signer.sign('waiting', entry.uuid, endOfWaiting(entry))}`
}

/**
 * The page on which the client that joined can only leave. With the link of the email it could confirm an
 * address that is not its own.
 */
export function leaveLink({ signer, baseUrl }: Service, entry: Waiting) {
  return `${baseUrl}/waiting/${signer.sign('leave', entry.uuid, endOfWaiting(entry))}`
}
