import type { Queryable } from '../db/base/pool.ts'
import { type Booking, findBookingsById, raiseIcsSequence } from '../db/booking/bookings.ts'
import { insertEvents, type NewEvent } from '../db/events.ts'
import { insertMails, type NewMail } from '../db/mails.ts'
import { bookingData } from '../mail/booking-data.ts'
import { type BookingWithData, emailAbout } from '../mail/queue-emails.ts'
import {
  type BookingKind,
  extraEmailsCausedBy,
  isAboutBooking,
  mails,
  mailsCausedBy,
} from '../rules/messages/emails.ts'
import { type Actor, type EventKind, nounOf } from '../rules/messages/events.ts'
import { toUtcText } from '../rules/time/time.ts'
import type { Service } from '../service.ts'

// The only place that writes events. Every action records what it did in its own transaction, so the change
// and its event commit together. The table in rules/messages/emails.ts says which emails follow; webhooks,
// feeds and histories read the rows later.

/**
 * The id of the row that the first word of the kind names; subjects without an id are described in `detail`.
 */
type Subject = number | Partial<Pick<NewEvent, 'subject' | 'customerUuid' | 'detail'>>
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
  /** Emails to people other than the participants of an Appointment. */
  extraEmails?: NewMail[]
}

/**
 * Writes the events and queues the emails that follow from them. If everything the emails need is
 * `preloaded`, the statements are sent without waiting and can share a round trip with the commit.
 */
export function recordEvents(
  tx: Queryable,
  service: Service,
  told: EventBatch | EventBatch[],
): Promise<void> {
  const stories = [told].flat()
  // Thrown synchronously: a rejected promise would arrive after the commit that travels with the last
  // statements.
  refuseWhileSuspended(service, stories)
  return record(tx, service, stories)
}

async function record(tx: Queryable, service: Service, stories: EventBatch[]) {
  const wanted = dueEmails(stories)
  const known = stories.flatMap(story => story.preloaded ?? [])
  const letters = [...extraEmailsOf(stories), ...known.flatMap(one => emailsAbout(one, wanted))]
  for (const { booking } of known) wanted.delete(booking.participationId)
  const events = stories.flatMap(eventsOf)
  for (const { kind } of events) service.counts.events.add(kind)
  await Promise.all([
    insertEvents(tx, events),
    insertMails(tx, letters),
    raiseIcsSequence(tx, movedWithoutEmail(stories)),
    readAndQueueEmails(tx, service, wanted),
  ])
}

/** Jobs check for themselves and record how work in progress ended. */
function refuseWhileSuspended({ suspensions }: Service, stories: EventBatch[]) {
  for (const { actor, provider, crmId = provider?.crmId } of stories) {
    if (actor.kind === 'service') continue
    suspensions.refuseProvider(provider?.id)
    suspensions.refuseCrm(crmId)
  }
}

const entriesOf = ({ events: news }: EventBatch) => Object.entries(news) as [EventKind, Subject[]][]

function eventsOf(story: EventBatch): NewEvent[] {
  const { actor, provider, crmId = provider?.crmId ?? null } = story
  const common = { actor, crmId, providerId: provider?.id ?? null }
  return entriesOf(story).flatMap(([kind, subjects]) =>
    subjects.map(one => ({
      ...common,
      kind,
      ...(typeof one === 'number' ? { subject: one } : { subject: null, ...one }),
    })),
  )
}

/** The emails that are due for each Participation. */
type Wanted = Map<number, { story: EventBatch; kinds: BookingKind[] }>

function dueEmails(stories: EventBatch[]): Wanted {
  const wanted: Wanted = new Map()
  for (const story of stories.filter(one => one.sendMails !== false))
    for (const [event, subjects] of entriesOf(story)) {
      if (nounOf(event) !== 'participation') continue
      const kinds = mailsCausedBy(event, story.actor).filter(isAboutBooking)
      if (kinds.length > 0) for (const id of subjects) wanted.set(id as number, { story, kinds })
    }
  return wanted
}

/** No email goes out, but calendar feeds and the next email must present the new time as a newer entry. */
const movedWithoutEmail = (stories: EventBatch[]): number[] =>
  stories
    .filter(one => one.sendMails === false)
    .flatMap(one => one.events['participation.moved'] ?? [])
    .filter(one => typeof one === 'number')

/** Emails that the caller has addressed, if the table lists the event as a reason to send them. */
function extraEmailsOf(stories: EventBatch[]): NewMail[] {
  return stories.flatMap(story => {
    const due = entriesOf(story).flatMap(([event]) => extraEmailsCausedBy(event))
    return (story.extraEmails ?? []).filter(letter => due.includes(letter.kind))
  })
}

async function readAndQueueEmails(tx: Queryable, service: Service, wanted: Wanted) {
  if (wanted.size === 0) return
  const withEntry = [...wanted]
    .filter(([, { kinds }]) => kinds.some(kind => mails[kind].ics))
    .map(([id]) => id)
  await raiseIcsSequence(tx, withEntry)
  const bookings = await findBookingsById(tx, [...wanted.keys()])
  const letters = bookings.flatMap(booking => {
    const { now = Date.now() } = wanted.get(booking.participationId)!.story
    const data = { ...bookingData(service, booking, null, now), ...previousOf(booking, wanted) }
    return emailsAbout({ booking, data }, wanted)
  })
  await insertMails(tx, letters)
}

/**
 * A request to move leaves the booking in place, wherever the request was before. A plain request has no
 * booking.
 */
function previousOf({ participationId, state, kept }: Booking, wanted: Wanted) {
  if (kept) return { previous: { start: toUtcText(kept.start), end: toUtcText(kept.end) } }
  const before = wanted.get(participationId)?.story.previousTimes?.(participationId)
  if (!before) return { previous: null }
  const previous = { start: toUtcText(before.startAt), end: toUtcText(before.endAt) }
  return { previous, onlyAsked: state === 'REQUESTED' }
}

function emailsAbout({ booking, data }: BookingWithData, wanted: Wanted): NewMail[] {
  const { story, kinds = [] } = wanted.get(booking.participationId) ?? {}
  // A consumer who withdraws a request was not refused.
  const own =
    story?.actor.kind === 'consumer' && kinds.includes('declined') ? { ...data, withdrawn: true } : data
  const spoken = story?.message ? { ...own, message: story.message } : own
  return kinds.flatMap(kind => {
    const isOtherSide = (mails[kind].to === 'provider') === (story?.actor.kind === 'consumer')
    return emailAbout(kind, { booking, data: isOtherSide ? spoken : own }, story?.eraseWhenDone)
  })
}
