import type { Queryable } from '../db/base/pool.ts'
import { type Booking, findBookingsById, raiseIcsSequence } from '../db/booking/bookings.ts'
import { insertEvents, type NewEvent } from '../db/events.ts'
import { type NewMessage, queueMessages } from '../db/mails.ts'
import { clockNow } from '../lib/clock.ts'
import { seal } from '../lib/seal.ts'
import { confirmationLink } from '../links.ts'
import { bookingData } from '../messages/booking-data.ts'
import { type BookingWithData, messagesAbout } from '../messages/compose.ts'
import { type Actor, type EventKind, nounOf } from '../rules/messages/events.ts'
import {
  type BookingData,
  type BookingKind,
  extraMessagesCausedBy,
  isAboutBooking,
  mergeDates,
  messages,
  messagesCausedBy,
} from '../rules/messages/messages.ts'
import { toUtcText } from '../rules/time/time.ts'
import type { Service } from '../service.ts'

// The only place that writes events. Every action records what it did in its own transaction, so the change
// and its event commit together. The table in rules/messages/messages.ts says which emails follow; webhooks,
// feeds and histories read the rows later.

/**
 * The id of the row that the first word of the kind names; subjects without an id are described in `detail`.
 */
type Subject = number | Partial<Pick<NewEvent, 'subject' | 'customerUuid' | 'detail' | 'extra'>>
export type EventsByKind = { [K in EventKind]?: Subject[] }

export type EventBatch = {
  actor: Actor
  /** Where it happened: at a Provider, or in the CRM as a whole. */
  provider?: { id: number; crmId?: number }
  crmId?: number
  events: EventsByKind
  /** Shown to the other side: the provider's message to consumers, the consumer's reason to the provider. */
  message?: string | null
  /** The time stamped on the emails. */
  now?: number
  sendMails?: boolean
  /** For the last email to a person who is being erased. */
  eraseWhenDone?: boolean
  /** Bookings that the caller has already read, in their state at commit, to save reading them again. */
  preloaded?: BookingWithData[]
  /** For moved bookings: the time before. */
  previousTimes?: (participationId: number) => { startAt: number; endAt: number } | undefined
  /** The calendar sequence of these bookings was raised with their last change. */
  isSequenceRaised?: boolean
  /** The dates of a series: each person gets one email about all of them. */
  inOneEmail?: boolean
  /** Emails to people other than the participants of an Appointment. */
  extraEmails?: NewMessage[]
}

/**
 * Writes the events and queues the emails that follow from them. If everything the emails need is
 * `preloaded`, the statements are sent without waiting and can share a round trip with the commit.
 */
export function recordEvents(
  tx: Queryable,
  service: Service,
  input: EventBatch | EventBatch[],
): Promise<void> {
  const batches = [input].flat()
  // Thrown synchronously: a rejected promise would arrive after the commit that travels with the last
  // statements.
  refuseWhileSuspended(service, batches)
  return record(tx, service, batches)
}

async function record(tx: Queryable, service: Service, batches: EventBatch[]) {
  const due = dueEmails(batches)
  const known = batches.flatMap(batch => batch.preloaded ?? [])
  const about = known.flatMap(one => emailsAbout(one, due))
  const isSeries = batches.every(one => one.inOneEmail)
  const emails = [...extraEmailsOf(batches), ...(isSeries ? mergeEmails(about) : about)]
  for (const { booking } of known) due.delete(booking.participationId)
  const events = batches.flatMap(eventsOf)
  for (const { kind } of events) service.metrics.recordEvent(kind)
  await Promise.all([
    insertEvents(tx, events),
    queueMessages(tx, emails),
    raiseIcsSequence(tx, movedWithoutEmail(batches)),
    readAndQueueEmails(tx, service, due),
  ])
}

/** A Customer's former reference, for readers who know the Customer by it. */
export const formerReference = ({ signer }: Service, reference: string) => ({
  sealed: seal(signer.key('events'), reference).toString('base64'),
})

/** Jobs check for themselves and record how work in progress ended. */
function refuseWhileSuspended({ suspensions }: Service, batches: EventBatch[]) {
  for (const { actor, provider, crmId = provider?.crmId } of batches) {
    if (actor.kind === 'service') continue
    suspensions.refuseProvider(provider?.id)
    suspensions.refuseCrm(crmId)
  }
}

const entriesOf = ({ events }: EventBatch) => Object.entries(events) as [EventKind, Subject[]][]

function eventsOf(batch: EventBatch): NewEvent[] {
  const { actor, provider, crmId = provider?.crmId ?? null } = batch
  const common = { actor, crmId, providerId: provider?.id ?? null }
  return entriesOf(batch).flatMap(([kind, subjects]) =>
    subjects.map(one => ({
      ...common,
      kind,
      ...(typeof one === 'number' ? { subject: one } : { subject: null, ...one }),
    })),
  )
}

/** The emails that are due for each Participation. */
type DueEmails = Map<number, { batch: EventBatch; kinds: BookingKind[] }>

function dueEmails(batches: EventBatch[]): DueEmails {
  const due: DueEmails = new Map()
  for (const batch of batches.filter(one => one.sendMails !== false))
    for (const [event, subjects] of entriesOf(batch)) {
      if (nounOf(event) !== 'participation') continue
      const kinds = messagesCausedBy(event, batch.actor).filter(isAboutBooking)
      if (kinds.length > 0) for (const id of subjects) due.set(id as number, { batch, kinds })
    }
  return due
}

/** No email goes out, but calendar feeds and the next email must present the new time as a newer entry. */
const movedWithoutEmail = (batches: EventBatch[]): number[] =>
  batches
    .filter(one => one.sendMails === false)
    .flatMap(one => one.events['participation.moved'] ?? [])
    .filter(one => typeof one === 'number')

/** Emails that the caller has addressed, if the table lists the event as a reason to send them. */
function extraEmailsOf(batches: EventBatch[]): NewMessage[] {
  return batches.flatMap(batch => {
    const due = entriesOf(batch).flatMap(([event]) => extraMessagesCausedBy(event))
    return (batch.extraEmails ?? []).filter(email => due.includes(email.kind))
  })
}

async function readAndQueueEmails(tx: Queryable, service: Service, due: DueEmails) {
  if (due.size === 0) return
  const withEntry = [...due]
    .filter(([_key, { batch, kinds }]) => !batch.isSequenceRaised && kinds.some(kind => messages[kind].ics))
    .map(([id]) => id)
  await raiseIcsSequence(tx, withEntry)
  const bookings = await findBookingsById(tx, [...due.keys()])
  const emails = bookings.flatMap(booking => {
    const { now = clockNow() } = due.get(booking.participationId)!.batch
    const data = {
      ...bookingData(service, booking, null, now),
      ...previousOf(booking, due),
      ...pageOf(service, booking, due),
    }
    return emailsAbout({ booking, data }, due)
  })
  const isSeries = [...due.values()].every(one => one.batch.inOneEmail)
  await queueMessages(tx, isSeries ? mergeEmails(emails) : emails)
}

/** Only an email about a series links to the page of each booking. */
const pageOf = (service: Service, booking: Booking, due: DueEmails) =>
  due.get(booking.participationId)?.batch.inOneEmail && { pageLink: confirmationLink(service, booking) }

function mergeEmails(emails: NewMessage[]): NewMessage[] {
  const groups = Object.groupBy(emails, ({ kind, to }) => `${kind} ${to.toLowerCase()}`)
  return Object.values(groups).map(group => {
    const [first, ...others] = group!
    if (others.length === 0) return first!
    return { ...first!, data: mergeDates(group!.map(one => one.data as BookingData)) }
  })
}

/**
 * A request to move leaves the booking in place, wherever the request was before. A plain request has no
 * booking.
 */
function previousOf({ participationId, state, kept }: Booking, due: DueEmails) {
  if (kept) return { previous: { start: toUtcText(kept.start), end: toUtcText(kept.end) } }
  const before = due.get(participationId)?.batch.previousTimes?.(participationId)
  if (!before) return { previous: null }
  const previous = { start: toUtcText(before.startAt), end: toUtcText(before.endAt) }
  return { previous, onlyAsked: state === 'REQUESTED' }
}

function emailsAbout({ booking, data }: BookingWithData, due: DueEmails): NewMessage[] {
  const { batch, kinds = [] } = due.get(booking.participationId) ?? {}
  // A consumer who withdraws a request was not refused.
  const own =
    batch?.actor.kind === 'consumer' && kinds.includes('declined') ? { ...data, withdrawn: true } : data
  const withMessage = batch?.message ? { ...own, message: batch.message } : own
  return kinds.flatMap(kind => {
    const isOtherSide = (messages[kind].to === 'provider') === (batch?.actor.kind === 'consumer')
    return messagesAbout(kind, { booking, data: isOtherSide ? withMessage : own }, batch?.eraseWhenDone)
  })
}
