import type { Queryable } from '../db/base/pool.ts'
import { type Booking, findBookingsById, raiseIcsSequence } from '../db/booking/bookings.ts'
import { insertEvents, type NewEvent } from '../db/events.ts'
import { insertMails, type NewMail } from '../db/mails.ts'
import { bookingData } from '../mail/booking-data.ts'
import { letterAbout, type Told } from '../mail/letters.ts'
import { type Actor, type EventKind, nounOf } from '../rules/news/events.ts'
import {
  type BookingKind,
  isAboutBooking,
  lettersCausedBy,
  mails,
  mailsCausedBy,
} from '../rules/news/mails.ts'
import { toUtcText } from '../rules/time/time.ts'
import type { Service } from '../service.ts'

// The one place where an event is written. Every verb tells here what it did, in its own transaction: both happen or
// neither. Mails follow from the table in rules/news/mails.ts; webhooks, feeds and histories read the rows later.

/** The id of the row that the first word of the kind means; what has none says in `detail` what it is. */
type Subject = number | Partial<Pick<NewEvent, 'subject' | 'customerUuid' | 'detail'>>
export type News = { [K in EventKind]?: Subject[] }

export type Story = {
  actor: Actor
  /** Where it happened: at a Provider, or in a CRM at large. */
  provider?: { id: number; crmId?: number }
  crmId?: number
  news: News
  /** Goes to the other side: the provider's words to consumers, the consumer's reason to the provider. */
  message?: string | null
  /** The moment that the mails bear. */
  now?: number
  sendMails?: boolean
  /** The last mail to somebody who is being erased. */
  eraseWhenDone?: boolean
  /** Bookings that have been read already, as they will be when the transaction ends: nothing is read again. */
  told?: Told[]
  /** Of what has moved: when it was before. */
  before?: (participationId: number) => { startAt: number; endAt: number } | undefined
  /** Mails to others than those who take part in an Appointment. */
  letters?: NewMail[]
}

/**
 * Writes what happened, and the mails that follow from it. Where everything that mails tell is `told`, its statements are
 * sent at once, and may travel with the last ones of a transaction.
 */
export async function happened(tx: Queryable, service: Service, told: Story | Story[]) {
  const stories = [told].flat()
  const wanted = wantedMails(stories)
  const known = stories.flatMap(story => story.told ?? [])
  const letters = [...addressedLetters(stories), ...known.flatMap(one => lettersAbout(one, wanted))]
  for (const { booking } of known) wanted.delete(booking.participationId)
  const events = stories.flatMap(eventsOf)
  for (const { kind } of events) service.counts.events.add(kind)
  await Promise.all([
    insertEvents(tx, events),
    insertMails(tx, letters),
    raiseIcsSequence(tx, movedInSilence(stories)),
    readAndMail(tx, service, wanted),
  ])
}

const newsOf = ({ news }: Story) => Object.entries(news) as [EventKind, Subject[]][]

function eventsOf(story: Story): NewEvent[] {
  const { actor, provider, crmId = provider?.crmId ?? null } = story
  const common = { actor, crmId, providerId: provider?.id ?? null }
  return newsOf(story).flatMap(([kind, subjects]) =>
    subjects.map(one => ({
      ...common,
      kind,
      ...(typeof one === 'number' ? { subject: one } : { subject: null, ...one }),
    })),
  )
}

/** Which mails are due about which Participation. */
type Wanted = Map<number, { story: Story; kinds: BookingKind[] }>

function wantedMails(stories: Story[]): Wanted {
  const wanted: Wanted = new Map()
  for (const story of stories.filter(one => one.sendMails !== false))
    for (const [event, subjects] of newsOf(story)) {
      if (nounOf(event) !== 'participation') continue
      const kinds = mailsCausedBy(event, story.actor).filter(isAboutBooking)
      if (kinds.length > 0) for (const id of subjects) wanted.set(id as number, { story, kinds })
    }
  return wanted
}

/** Nobody is written to, but calendars that are fetched and the next mail tell of the new time: as a newer entry. */
const movedInSilence = (stories: Story[]): number[] =>
  stories
    .filter(one => one.sendMails === false)
    .flatMap(one => one.news['participation.moved'] ?? [])
    .filter(one => typeof one === 'number')

/** Letters that the caller has addressed, if the table says that this is a reason to write them. */
function addressedLetters(stories: Story[]): NewMail[] {
  return stories.flatMap(story => {
    const due = newsOf(story).flatMap(([event]) => lettersCausedBy(event))
    return (story.letters ?? []).filter(letter => due.includes(letter.kind))
  })
}

async function readAndMail(tx: Queryable, service: Service, wanted: Wanted) {
  if (wanted.size === 0) return
  const withEntry = [...wanted]
    .filter(([, { kinds }]) => kinds.some(kind => mails[kind].ics))
    .map(([id]) => id)
  await raiseIcsSequence(tx, withEntry)
  const bookings = await findBookingsById(tx, [...wanted.keys()])
  const letters = bookings.flatMap(booking => {
    const { now = Date.now() } = wanted.get(booking.participationId)!.story
    const data = { ...bookingData(service, booking, null, now), ...previousOf(booking, wanted) }
    return lettersAbout({ booking, data }, wanted)
  })
  await insertMails(tx, letters)
}

/** Whoever has asked to move keeps their booking, wherever their request was before. A mere request keeps nothing. */
function previousOf({ participationId, state, kept }: Booking, wanted: Wanted) {
  if (kept) return { previous: { start: toUtcText(kept.start), end: toUtcText(kept.end) } }
  const before = wanted.get(participationId)?.story.before?.(participationId)
  if (!before) return { previous: null }
  const previous = { start: toUtcText(before.startAt), end: toUtcText(before.endAt) }
  return { previous, onlyAsked: state === 'REQUESTED' }
}

function lettersAbout({ booking, data }: Told, wanted: Wanted): NewMail[] {
  const { story, kinds = [] } = wanted.get(booking.participationId) ?? {}
  // Who takes a request back was not refused.
  const own =
    story?.actor.kind === 'consumer' && kinds.includes('declined') ? { ...data, withdrawn: true } : data
  const spoken = story?.message ? { ...data, message: story.message } : data
  return kinds.flatMap(kind => {
    const isOtherSide = (mails[kind].to === 'provider') === (story?.actor.kind === 'consumer')
    return letterAbout(kind, { booking, data: isOtherSide ? spoken : own }, story?.eraseWhenDone)
  })
}
