import sql, { type Sql } from 'sql-template-tag'
import { participation } from '../../entities/appointment.ts'
import type { RowAs } from '../../entities/entity.ts'
import { product } from '../../entities/product.ts'
import { provider } from '../../entities/provider.ts'
import { resource } from '../../entities/resource.ts'
import type { Language } from '../../languages.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import type { PlacedQuestion } from '../../rules/questions/define.ts'
import { columnsAs } from '../base/columns.ts'
import { changeNotice, hasAny } from '../base/conditions.ts'
import { placesTaken } from '../base/counted-places.ts'
import type { Queryable } from '../base/pool.ts'
import { type ContactPerson, contactOfAppointment } from '../setup/contacts.ts'
import { questionsOfParticipation } from '../setup/questions.ts'
import { findCurrentPlace } from './own-places.ts'

// What a booking shows of each record, by its name there.

const ofParticipation = {
  participationId: 'id',
  participationUuid: 'uuid',
  participationReference: 'reference',
  state: 'state',
  name: 'name',
  mobile: 'mobile',
  note: 'note',
  locale: 'locale',
  /** The time zone that the consumer saw while booking. */
  consumerZone: 'timeZone',
  places: 'places',
  placeNames: 'placeNames',
  answers: 'answers',
  answersMissing: 'answersMissing',
} as const

const ofProduct = { productUuid: 'uuid', productDescription: 'description', priceText: 'priceText' } as const

const ofResource = {
  resourceId: 'id',
  resourceUuid: 'uuid',
  resourceReference: 'reference',
  resourceName: 'publicName',
  imageUrl: 'imageUrl',
} as const

const ofProvider = {
  providerId: 'id',
  providerUuid: 'uuid',
  providerName: 'name',
  providerEmail: 'email',
  providerPhone: 'phone',
  providerMobile: 'mobile',
  providerLanguage: 'language',
  impressum: 'impressum',
  accentColor: 'accentColor',
  logoUrl: 'logoUrl',
  timeZone: 'timeZone',
} as const

/** All data for an email about one Participation. */
export type Booking = RowAs<typeof participation, typeof ofParticipation> &
  RowAs<typeof product, typeof ofProduct> &
  RowAs<typeof resource, typeof ofResource> &
  RowAs<typeof provider, typeof ofProvider> &
  Circumstances

/** What the records do not say by themselves. */
type Circumstances = {
  email: string | null
  language: Language
  icsSequence: number
  /** The uuid of the calendar entry, which stays the same when the booking moves. */
  calendarUuid: string
  channelKey: ChannelKey | null
  changeNoticeMinutes: number
  /** In the future, and early enough for the consumer to cancel or move it. */
  isChangeable: boolean
  /** The booking that a request to move would replace. */
  replaces: number | null
  /** The times of that booking, while it is active. */
  kept: { start: number; end: number } | null
  customerUuid: string | null
  appointmentId: number
  appointmentUuid: string
  /** The Appointment was created by this consumer, and no other person has ever been in it. */
  isFirst: boolean
  timeslotUuid: string | null
  capacity: number
  taken: number
  startAt: number
  endAt: number
  /** Neither cancelled nor started. */
  isToCome: boolean
  appointmentAddress: unknown
  appointmentDescription: string | null
  productName: string
  /** The price, unless the Product has changed since. */
  agreedPrice: string | null
  /** The Resource can still be booked. */
  isOffered: boolean
  owner: { email: string | null; language: Language }
  crmId: number
  crm: string
  contact: ContactPerson | null
  /** Those of the Product and those that were answered; null if there are none. */
  questions: PlacedQuestion[] | null
}

/** A consumer chooses a language with each booking. */
const chosenLanguage = sql`case when participation.channel_key is not null then participation.language end`

/**
 * The address in the Participation, unless the Customer's address has changed since. A person found by phone
 * number may have given another address for this booking.
 */
const currentAddress = sql`
  case when participation.email is null or lower(participation.email) = any (customer.former_emails)
    then customer.email else participation.email end
`

/** A User created with a language receives emails in it, for every Provider. */
const userLanguage = sql`(select language from app_user where id = customer.user_id)`

/**
 * An Appointment created by the provider has no Timeslot; consumers see it in the Timeslot that contains it.
 */
const timeslotAround = sql`(
  select uuid from timeslot as around
  where around.resource_id = appointment.resource_id and around.state = 'BOOKABLE' and around.default_accept_bookings
    and around.start_at <= appointment.start_at and around.end_at >= appointment.end_at
  order by around.start_at, around.id limit 1
)`

const hadOtherPeople = sql`
  select from participation as other
  where other.appointment_id = appointment.id and other.id <> participation.id and other.state <> 'RESERVED'
`

const isUpcoming = sql`
  appointment.state = 'ACTIVE' and appointment.deleted_at is null and appointment.start_at > app_clock()
`

/** A consumer with a pending request to move keeps the existing booking until it is answered. */
const kept = sql`
  case when participation.replaces is not null then (
    select json_build_object('start', date_part('epoch', place.start_at) * 1000, 'end', date_part('epoch', place.end_at) * 1000)
    from participation as booking join appointment as place on place.id = booking.appointment_id
    where booking.id = participation.replaces and booking.state = 'BOOKED' and place.state = 'ACTIVE'
  ) end
`

export const bookingColumns = sql`
  ${columnsAs(participation, ofParticipation)}, ${columnsAs(product, ofProduct)},
  ${columnsAs(resource, ofResource)}, ${columnsAs(provider, ofProvider)},
  ${currentAddress} as email, participation.ics_sequence,
  coalesce(participation.calendar_uuid, participation.uuid) as calendar_uuid, participation.channel_key,
  ${changeNotice} as change_notice_minutes, participation.replaces, ${kept} as kept,
  ${isUpcoming} and appointment.start_at - make_interval(mins => ${changeNotice}) > app_clock() as is_changeable,
  coalesce(${chosenLanguage}, customer.language, participation.language, ${userLanguage}, provider.language) as language,
  customer.uuid as customer_uuid, appointment.id as appointment_id, appointment.uuid as appointment_uuid,
  appointment.origin = 'consumer' and not ${hasAny(hadOtherPeople)} as is_first,
  coalesce(timeslot.uuid, ${timeslotAround}) as timeslot_uuid, appointment.capacity, appointment.start_at, appointment.end_at,
  ${isUpcoming} as is_to_come,
  appointment.address as appointment_address, appointment.description as appointment_description,
  coalesce(appointment.product_name, product.name) as product_name,
  case when product.updated_at <= participation.created_at then product.price_text end as agreed_price,
  resource.deleted_at is null and not resource.archived as is_offered,
  (select json_build_object('email', email, 'language', language) from app_user where id = provider.owner_id) as owner,
  crm.id as crm_id, crm.name as crm, ${contactOfAppointment()} as contact, ${questionsOfParticipation} as questions
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

/** The pending request to move this booking. */
export async function requestBeside(
  tx: Queryable,
  { participationUuid }: Pick<Booking, 'participationUuid'>,
): Promise<Booking | null> {
  const standing = await findCurrentPlace(tx, participationUuid)
  if (!standing || standing.uuid === participationUuid) return null
  return (await findBookingsByUuid(tx, standing.uuid))[0] ?? null
}

/** Bookings with this address in this Appointment. */
export const findBookingsOf = (tx: Queryable, appointmentUuid: string, email: string): Promise<Booking[]> =>
  findBookings(
    tx,
    sql`appointment.uuid = ${appointmentUuid} and lower(${currentAddress}) = lower(${email})
      and participation.state in ('BOOKED', 'REQUESTED')`,
  )

export const findBookingsById = (tx: Queryable, ids: number[]): Promise<Booking[]> =>
  findBookings(tx, sql`participation.id = any (${ids})`)

/** Counts once for each Appointment: a cancelled group may have thousands of bookings. */
async function findBookings(tx: Queryable, which: Sql): Promise<Booking[]> {
  const [rows, counts] = await Promise.all([
    tx.query<Booking>(
      sql`select ${bookingColumns} from ${bookingTables} where ${which} order by participation.id`,
    ),
    tx.query<{ appointmentId: number; taken: number }>(sql`
      select appointment.id as appointment_id, ${placesTaken} as taken from appointment where id = any (array (
        select distinct appointment.id from participation
        join appointment on appointment.id = participation.appointment_id
        left join customer on customer.id = participation.customer_id where ${which}
      ))
    `),
  ])
  const taken = new Map(counts.map(one => [one.appointmentId, one.taken]))
  return rows.map(row => ({ ...row, taken: taken.get(row.appointmentId) ?? 0 }))
}

/** Each calendar entry that is sent needs a higher sequence number than the previous one. */
export async function raiseIcsSequence(tx: Queryable, ids: number[]) {
  if (ids.length === 0) return
  await tx.query(sql`update participation set ics_sequence = ics_sequence + 1 where id = any (${ids})`)
}
