import sql from 'sql-template-tag'
import type { Proposal } from '../../entities/appointment.ts'
import type { BookingProcess, ChannelKey } from '../../rules/offers/channels.ts'
import type { PlacedQuestion } from '../../rules/questions/define.ts'
import { hasAny } from '../base/conditions.ts'
import { placesTaken } from '../base/counted-places.ts'
import type { Queryable } from '../base/pool.ts'
import { flag, listed, number, plain, type Tuples, text, tuplesOf } from '../base/tuples.ts'
import { type Booking, bookingColumns, bookingTables } from './bookings.ts'

/** How one channel of the Resource accepts bookings. */
type ChannelOfHold = {
  uuid: string
  key: ChannelKey
  bookingProcess: BookingProcess
  customersOnly: boolean
  agentBooking: boolean
  agentHoldMinutes: number
}

/** A hold, or the booking made from it, with all data for its emails. */
export type Held = Booking & {
  placeholder: string
  now: number
  live: boolean
  /** Other people have a place in the same Appointment. */
  isShared: boolean
  productId: number
  blockedFrom: number
  blockedTo: number
  resourceArchived: boolean
  termsRequired: boolean
  appointmentState: 'ACTIVE' | 'CANCELLED'
  /** Null for an Appointment created by the provider. */
  ownTimeslotUuid: string | null
  channels: ChannelOfHold[]
  completionDigest: string | null
  /** The questions when the hold was made, if they have changed since. */
  heldQuestions: PlacedQuestion[] | null
  answersRequired: boolean
  /** What an agent proposes to the person; null for any other hold. */
  proposal: Proposal | null
  expiresAt: number | null
  placeNamesRequired: boolean
}

const channelTuples = tuplesOf<ChannelOfHold>({
  uuid: plain(sql`uuid`),
  key: text(sql`key`),
  bookingProcess: plain(sql`booking_process`),
  customersOnly: flag(sql`customers_only`),
  agentBooking: flag(sql`agent_booking`),
  agentHoldMinutes: number(sql`agent_hold_minutes`),
})

const hasOtherPeople = sql`
  select from participation as other
  where other.appointment_id = appointment.id and other.state in ('BOOKED', 'REQUESTED')
`

export async function findHeld(tx: Queryable, placeholders: (string | null)[]): Promise<(Held | null)[]> {
  const wanted = placeholders.filter(one => one !== null)
  if (wanted.length === 0) return placeholders.map(() => null)
  const rows = await tx.query<Omit<Held, 'channels'> & { channels: Tuples<ChannelOfHold> }>(sql`
    select ${bookingColumns}, ${placesTaken} as taken, placeholder, app_clock() as now,
      participation.expires_at is not null and participation.expires_at > app_clock() as live,
      ${hasAny(hasOtherPeople)} as is_shared,
      product.id as product_id, appointment.blocked_from, appointment.blocked_to, resource.archived as resource_archived, provider.terms_required, appointment.state as appointment_state, timeslot.uuid as own_timeslot_uuid,
      (select ${listed(channelTuples.packed())} from channel where resource_id = resource.id) as channels,
      completion_digest, participation.held_questions, product.answers_required, product.place_names_required,
      participation.proposal, participation.expires_at
    from ${bookingTables}
    where placeholder = any (${wanted}::uuid[])
  `)
  const byPlaceholder = new Map(
    rows.map(row => [row.placeholder, { ...row, channels: channelTuples.readAll(row.channels) }]),
  )
  return placeholders.map(one => byPlaceholder.get(one?.toLowerCase() ?? '') ?? null)
}
