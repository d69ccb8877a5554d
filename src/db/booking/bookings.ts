import sql, { type Sql } from 'sql-template-tag'
import type { Language } from '../../languages.ts'
import type { ParticipationState } from '../../rules/news/participations.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { hasAny } from '../base/has-any.ts'
import type { Queryable } from '../base/pool.ts'
import { type ContactPerson, contactOfAppointment } from '../setup/contacts.ts'
import { findStanding } from './own-places.ts'

/** Everything that a mail about one Participation tells. */
export type Booking = {
  participationId: number
  participationUuid: string
  participationReference: string
  state: ParticipationState
  name: string | null
  email: string | null
  mobile: string | null
  note: string | null
  language: Language
  locale: string | null
  /** As the consumer saw the times while booking. */
  consumerZone: string | null
  icsSequence: number
  /** Of the entry in their calendar, which stays the same when the booking moves. */
  calendarUuid: string
  channelKey: ChannelKey | null
  changeNoticeMinutes: number
  /** Still to come, and early enough for the consumer to cancel or move it. */
  isChangeable: boolean
  /** The booking that a request to move would replace. */
  replaces: number | null
  /** When that one is, while it is theirs. */
  kept: { start: number; end: number } | null
  customerUuid: string | null
  appointmentId: number
  appointmentUuid: string
  /** Made by a consumer, and nobody but them has ever been in it: the Appointment begins with this booking. */
  isFirst: boolean
  timeslotUuid: string | null
  capacity: number
  taken: number
  productUuid: string
  startAt: number
  endAt: number
  /** Neither cancelled nor begun. */
  isToCome: boolean
  appointmentAddress: unknown
  appointmentDescription: string | null
  productName: string
  productDescription: string | null
  resourceId: number
  resourceUuid: string
  resourceReference: string
  resourceName: string
  providerId: number
  providerUuid: string
  providerName: string
  providerEmail: string | null
  providerPhone: string | null
  providerMobile: string | null
  providerLanguage: Language
  impressum: string | null
  accentColor: string | null
  logoUrl: string | null
  timeZone: string
  owner: { email: string | null; language: Language }
  crmId: number
  crm: string
  contact: ContactPerson | null
}

/** A consumer who books says which language they want this time. */
const chosenLanguage = sql`case when participation.channel_key is not null then participation.language end`

/**
 * What stands in the Participation, unless the Customer has moved on from there. Somebody who is known by their number may
 * have given another address this time.
 */
const addressOfToday = sql`
  case when participation.email is null or lower(participation.email) = any (customer.former_emails)
    then customer.email else participation.email end
`

/** Whoever was made a User in a language is written to in it, whatever they are to the Provider. */
const userLanguage = sql`(select language from app_user where id = customer.user_id)`

/** An Appointment of the provider has no Timeslot of its own; consumers find it in the one that it lies in. */
const timeslotAround = sql`(
  select uuid from timeslot as around
  where around.resource_id = appointment.resource_id and around.state = 'BOOKABLE' and around.default_accept_bookings
    and around.start_at <= appointment.start_at and around.end_at >= appointment.end_at
  order by around.start_at, around.id limit 1
)`

const othersEver = sql`
  select from participation as other
  where other.appointment_id = appointment.id and other.id <> participation.id and other.state <> 'RESERVED'
`

const isToCome = sql`
  appointment.state = 'ACTIVE' and appointment.deleted_at is null and appointment.start_at > app_clock()
`

/** How long before the start the consumer must make up their mind, by the channel through which they booked. */
const changeNotice = sql`(
  select change_notice_minutes from channel
  where channel.resource_id = appointment.resource_id
    and channel.key = coalesce(participation.channel_key, 'RESOURCE_PUBLIC')
)`

/** Whoever has asked to move keeps their booking until it is decided. */
const kept = sql`
  case when participation.replaces is not null then (
    select json_build_object('start', date_part('epoch', place.start_at) * 1000, 'end', date_part('epoch', place.end_at) * 1000)
    from participation as booking join appointment as place on place.id = booking.appointment_id
    where booking.id = participation.replaces and booking.state = 'BOOKED' and place.state = 'ACTIVE'
  ) end
`

export const bookingColumns = sql`
  participation.id as participation_id, participation.uuid as participation_uuid,
  participation.reference as participation_reference, participation.state, participation.name,
  ${addressOfToday} as email, participation.mobile, participation.note, participation.ics_sequence,
  coalesce(participation.calendar_uuid, participation.uuid) as calendar_uuid, participation.channel_key,
  ${changeNotice} as change_notice_minutes, participation.replaces, ${kept} as kept,
  ${isToCome} and appointment.start_at - make_interval(mins => ${changeNotice}) > app_clock() as is_changeable,
  participation.locale, participation.time_zone as consumer_zone,
  coalesce(${chosenLanguage}, customer.language, participation.language, ${userLanguage}, provider.language) as language,
  customer.uuid as customer_uuid, appointment.id as appointment_id, appointment.uuid as appointment_uuid,
  appointment.origin = 'consumer' and not ${hasAny(othersEver)} as is_first,
  coalesce(timeslot.uuid, ${timeslotAround}) as timeslot_uuid, appointment.capacity,
  (select count(*) from participation as other where other.appointment_id = appointment.id
    and takes_place(other.state, other.expires_at, app_clock())) as taken,
  product.uuid as product_uuid, appointment.start_at, appointment.end_at,
  ${isToCome} as is_to_come,
  appointment.address as appointment_address, appointment.description as appointment_description,
  coalesce(appointment.product_name, product.name) as product_name, product.description as product_description,
  resource.id as resource_id, resource.uuid as resource_uuid, resource.reference as resource_reference,
  resource.public_name as resource_name,
  provider.id as provider_id, provider.uuid as provider_uuid, provider.name as provider_name,
  provider.email as provider_email, provider.phone as provider_phone, provider.mobile as provider_mobile,
  provider.language as provider_language, provider.impressum, provider.accent_color,
  provider.logo_url, provider.time_zone,
  (select json_build_object('email', email, 'language', language) from app_user where id = provider.owner_id) as owner,
  crm.id as crm_id, crm.name as crm, ${contactOfAppointment()} as contact
`

export const bookingTables = sql`
  participation
  join appointment on appointment.id = participation.appointment_id
  join product on product.id = appointment.product_id
  join resource on resource.id = appointment.resource_id
  join provider on provider.id = appointment.provider_id
  join crm on crm.id = provider.crm_id
  left join timeslot on timeslot.id = appointment.timeslot_id
  left join customer on customer.id = participation.customer_id
`

export const findBookingsByUuid = (tx: Queryable, participationUuid: string): Promise<Booking[]> =>
  findBookings(tx, sql`participation.uuid = ${participationUuid}`)

/** The request to move that waits for an answer while this booking stays as it is. */
export async function requestBeside(
  tx: Queryable,
  { participationUuid }: Pick<Booking, 'participationUuid'>,
): Promise<Booking | null> {
  const standing = await findStanding(tx, participationUuid)
  if (!standing || standing.uuid === participationUuid) return null
  return (await findBookingsByUuid(tx, standing.uuid))[0] ?? null
}

/** Whoever has this address, in this Appointment. */
export const findBookingsOf = (tx: Queryable, appointmentUuid: string, email: string): Promise<Booking[]> =>
  findBookings(
    tx,
    sql`appointment.uuid = ${appointmentUuid} and lower(${addressOfToday}) = lower(${email})
      and participation.state in ('BOOKED', 'REQUESTED')`,
  )

export const findBookingsById = (tx: Queryable, ids: number[]): Promise<Booking[]> =>
  findBookings(tx, sql`participation.id = any (${ids})`)

async function findBookings(tx: Queryable, which: Sql): Promise<Booking[]> {
  return tx.query<Booking>(sql`
    select ${bookingColumns} from ${bookingTables} where ${which} order by participation.id
  `)
}

/** Every calendar entry that goes out has a higher number than the one before. */
export async function raiseIcsSequence(tx: Queryable, ids: number[]) {
  if (ids.length === 0) return
  await tx.query(sql`update participation set ics_sequence = ics_sequence + 1 where id = any (${ids})`)
}
