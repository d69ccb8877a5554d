import { emptyBounds, explainedPeriod, loadWindows, type ResourceWindow } from '../../db/booking/windows.ts'
import { type OpenOffer, openOffersAt } from '../../db/scheduling/waiting-line.ts'
import { invalidField } from '../../errors.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { type ExplainedSlot, explain } from '../../rules/offers/explain.ts'
import type { Closure } from '../../rules/offers/window.ts'
import { parseDateOrInstant, toUtcText } from '../../rules/time/time.ts'
import { startOfNextLocalDay, wallOfInstant } from '../../rules/time/zones.ts'
import type { Service } from '../../service.ts'
import { productFilter } from './resolve-ref.ts'

type ExplainedLine = {
  start: string
  end: string
  timeslot: string
  offered: boolean
  reason: string
  /** A sentence for people. */
  text: string
  /** The end of an offer to the waiting list. */
  offeredUntil: string | null
  /** The conflicting Appointment, or the one that can be joined. */
  appointment: string | null
  products: string[]
}

type Question = { resourceId: number; channelKey: ChannelKey; date: string; prdRef: string | null }

/** For every raster line of a local day: offered, or the reason why not. */
export async function explainDay({ db }: Service, { resourceId, channelKey, date, prdRef }: Question) {
  const wanted = [{ resourceId, channelKey }]
  const zone = (await loadWindows(db, wanted, emptyBounds))[0]!.provider.timeZone
  const from = /^\d{4}-\d{2}-\d{2}$/.test(date) ? parseDateOrInstant(date, zone) : null
  if (from === null) throw invalidField('date', 'date:day')
  const to = startOfNextLocalDay(from, zone)
  const [loaded] = await loadWindows(db, wanted, explainedPeriod(from, to))
  const wantsAt = await productFilter(db, [loaded!.provider.id], prdRef)
  const lines = explain(loaded!.window, { now: loaded!.now, wants: wantsAt(loaded!), from, to })
  const offers = await openOffersAt(db, resourceId, from, to)
  return { timeZone: zone, lines: lines.map(line => explained(line, loaded!, offers, zone)) }
}

function explained(
  line: ExplainedSlot,
  { channel }: ResourceWindow,
  offers: OpenOffer[],
  zone: string,
): ExplainedLine {
  const offered = line.products.length > 0 || line.joinable !== null
  const offer = offerAt(line, offers)
  const open = line.listedElsewhere ? 'listed-elsewhere' : 'free'
  const reason = line.joinable ? 'joinable' : (line.refused?.reason ?? open)
  return {
    start: toUtcText(line.start),
    end: toUtcText(line.end),
    timeslot: line.timeslot.uuid,
    offered,
    reason: heldUntil(line) === null ? reason : 'held',
    text: offer
      ? `Offered to the waiting list until ${localText(offer.expiresAt, zone)}.`
      : sentence(line, channel),
    offeredUntil: offer ? toUtcText(offer.expiresAt) : null,
    appointment: (line.joinable ?? line.refused?.by)?.reference ?? null,
    products: (line.joinable ? [] : line.products).map(product => product.name),
  }
}

/** Held for a person on the waiting list. */
function offerAt(line: ExplainedSlot, offers: OpenOffer[]): OpenOffer | undefined {
  if (heldUntil(line) === null) return undefined
  return offers.find(one => one.startAt < line.end && one.endAt > line.start)
}

const localText = (at: number, zone: string) =>
  new Date(wallOfInstant(at, zone)).toISOString().slice(0, 16).replace('T', ' ')

/** A slot that only holds occupy becomes free when the first of them expires. */
function heldUntil({ refused, joinable }: ExplainedSlot): number | null {
  return joinable || refused?.reason !== 'taken' ? null : (refused.by?.holdUntil ?? null)
}

function sentence(line: ExplainedSlot, channel: ResourceWindow['channel']): string {
  const { joinable, refused } = line
  if (joinable)
    return `Can be joined: ${joinable.capacity - joinable.taken} of ${joinable.capacity} places left.`
  if (line.listedElsewhere)
    return 'Offered by another Timeslot with the same start, which has as many places or more.'
  if (!refused) return 'Offered.'
  const until = heldUntil(line)
  if (until !== null) return `Held by a consumer until ${toUtcText(until)}.`
  const by = refused.by?.reference ?? ''
  const sentences: Record<typeof refused.reason, string> = {
    archived: 'The Resource is archived.',
    channel: 'The channel is not visible.',
    'not-bookable': 'The Timeslot is not BOOKABLE or not open to the public.',
    product: 'The channel offers no Product here.',
    raster: 'No slot starts here.',
    duration: 'The length does not suit the Product.',
    rest: 'The rest of the Timeslot is too short.',
    notice: refused.isPast
      ? 'It has passed.'
      : `Too late: the channel wants ${channel.minimumNoticeMinutes} minutes of notice.`,
    horizon: `Too early: the channel opens ${channel.horizonDays} days ahead.`,
    capacity: 'The Timeslot has no places.',
    taken: `Taken by ${by}.`,
    buffer: `In the buffer of ${by}, or too close to it for its own buffer.`,
    full: `${by} is full.`,
    'too few places': `${by} has too few places left.`,
    busy: 'Busy in an external calendar.',
    closed: refused.closure ? closedBy(refused.closure) : `${by} is not open for bookings.`,
  }
  return sentences[refused.reason]
}

const closedBy = ({ reason, isBlock }: Closure) => `${isBlock ? 'Blocked by staff' : 'Closed'}: ${reason}`
