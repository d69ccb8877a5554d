import sql, { join, type Sql } from 'sql-template-tag'
import type { ParticipationState } from '../../rules/news/participations.ts'
import type { Queryable } from '../base/pool.ts'

export type CustomerRow = {
  id: number
  providerId: number
  uuid: string
  reference: string
  userId: number | null
  name: string
  email: string | null
  mobile: string | null
  note: string | null
  language: string | null
  /** Made or accepted by the CRM or the console, and not only by booking: such a Customer may use channels for Customers. */
  invited: boolean
  /** The number as people are found by it. */
  mobileKey: string | null
  /** Columns that a stranger filled in by booking under this address. */
  unconfirmed: string[]
  /** Small letters: addresses that this Customer had before. */
  formerEmails: string[]
}

export type CustomerFields = {
  customerReference: string
  userName: string
  email?: string | null
  mobile?: string | null
  mobileKey?: string | null
  note?: string | null
  language?: string | null
}

/**
 * For whoever looks up one of them. In words that no index is made for: as `is null` it fits that of all Customers of a
 * Provider, which looks the shortest as long as it is empty.
 */
export const isNotErased = sql`coalesce(erased_at, 'infinity') = 'infinity'`

export async function findCustomer(
  db: Queryable,
  providerId: number,
  reference: string,
): Promise<CustomerRow | null> {
  const rows = await db.query<CustomerRow>(sql`
    select * from customer where provider_id = ${providerId} and reference = ${reference} and ${isNotErased}
  `)
  return rows[0] ?? null
}

/** With the language of the User that they are. */
export type KnownCustomer = CustomerRow & { userLanguage: string | null }

const known = sql`customer.*, (select language from app_user where id = customer.user_id) as user_language`

export type CustomerFilter = {
  providerId: number
  email?: string
  /** As numbers are compared; null finds nobody. */
  mobileKey?: string | null
  changedSince?: number
}

/** In the order in which they were made. */
export async function listCustomers(
  db: Queryable,
  { providerId, email, mobileKey, changedSince }: CustomerFilter,
  { after, limit }: { after: number[] | null; limit: number | null },
): Promise<CustomerRow[]> {
  const wanted = [
    sql`provider_id = ${providerId} and erased_at is null and id > ${after?.[0] ?? 0}`,
    ...(email === undefined ? [] : [sql`lower(email) = lower(${email})`]),
    ...(mobileKey === undefined ? [] : [sql`mobile_key = ${mobileKey}`]),
    ...(changedSince === undefined
      ? []
      : [
          sql`id = any (array (
      select subject from event
      where provider_id = ${providerId} and at >= ${new Date(changedSince)} and kind like 'customer.%'
    ))`,
        ]),
  ]
  return db.query<CustomerRow>(
    sql`select * from customer where ${join(wanted, ' and ')} order by id limit ${limit}`,
  )
}

/** Found and kept from being erased until the transaction ends. */
export async function holdCustomer(
  tx: Queryable,
  providerId: number,
  reference: string,
): Promise<KnownCustomer | null> {
  const rows = await tx.query<KnownCustomer>(sql`
    select ${known} from customer where provider_id = ${providerId} and reference = ${reference} and ${isNotErased}
    for key share
  `)
  return rows[0] ?? null
}

/** Null when the reference is taken. */
export async function insertCustomer(
  tx: Queryable,
  providerId: number,
  customer: CustomerFields,
): Promise<CustomerRow | null> {
  const rows = await tx.query<CustomerRow>(sql`
    insert into customer (provider_id, invited, reference, name, email, mobile, mobile_key, note, language)
    values (${providerId}, true, ${customer.customerReference}, ${customer.userName}, ${customer.email ?? null},
      ${customer.mobile ?? null}, ${customer.mobileKey ?? null}, ${customer.note ?? null}, ${customer.language ?? null})
    on conflict on constraint customer_reference do nothing
    returning *
  `)
  return rows[0] ?? null
}

/** The CRM knows this Customer, whoever made it. */
export async function inviteCustomer(tx: Queryable, id: number) {
  await tx.query(sql`update customer set invited = true where id = ${id}`)
}

export async function lockCustomer(
  tx: Queryable,
  providerId: number,
  reference: string,
): Promise<CustomerRow | null> {
  const rows = await tx.query<CustomerRow>(sql`
    select * from customer where provider_id = ${providerId} and reference = ${reference} and ${isNotErased}
    for update
  `)
  return rows[0] ?? null
}

export async function updateCustomer(tx: Queryable, customer: CustomerRow): Promise<CustomerRow> {
  const rows = await tx.query<CustomerRow>(sql`
    update customer set reference = ${customer.reference}, name = ${customer.name}, email = ${customer.email},
      former_emails = case
        when email is null or lower(email) = lower(${customer.email}) or lower(email) = any (former_emails)
        then former_emails else former_emails || lower(email) end,
      mobile = ${customer.mobile}, mobile_key = ${customer.mobileKey}, unconfirmed = ${customer.unconfirmed},
      note = ${customer.note}, language = ${customer.language}, invited = true
    where id = ${customer.id} returning *
  `)
  return rows[0]!
}

export type FutureParticipation = {
  id: number
  appointmentId: number
  resourceId: number
  /** Null in those that came along with an Appointment. */
  customerId: number | null
  state: ParticipationState
}

/** Whoever has this Participation is still to come, or may be. */
export const isExpected = sql`
  takes_place(participation.state, expires_at, app_clock())
  and appointment.state = 'ACTIVE' and appointment.deleted_at is null and end_at > app_clock()
`

/**
 * Where the Customer is still expected, under their own name or as somebody with their email. The fences (`offset 0`) keep
 * the order: first the Participations, then what they are in.
 */
export async function futureParticipations(
  tx: Queryable,
  customer: CustomerRow,
): Promise<FutureParticipation[]> {
  return tx.query<FutureParticipation>(sql`
    select participation.id, appointment_id, resource_id, customer_id, participation.state
    from (select * from participation where ${isParticipationOf(customer)} offset 0) as participation
    cross join lateral (select * from appointment where id = appointment_id offset 0) as appointment
    where ${isExpected}
    order by resource_id, participation.id
  `)
}

/** Participations that came along with an Appointment have no Customer, but may be the same person's. */
export const isParticipationOf = (customer: CustomerRow): Sql => sql`
  participation.id = any (array (
    select id from participation where customer_id = ${customer.id}
    union all
    select id from participation where ${isNamelessOf(customer)}
  ))
`

/** Under an address that the Customer has or once had. */
const isNamelessOf = ({ providerId, email, formerEmails }: CustomerRow): Sql => sql`
  provider_id = ${providerId} and customer_id is null
    and lower(email) = any (array (select lower(address) from unnest(${[...formerEmails, email]}::text[]) address))
`

/** The last mails about them go where the Customer can be reached today. */
export async function readdressParticipations(tx: Queryable, customer: CustomerRow) {
  if (customer.email === null) return
  await tx.query(sql`update participation set email = ${customer.email} where ${isNamelessOf(customer)}`)
}

/** A Customer of the Provider with this email or this number, whom the CRM or the console made or accepted. */
export async function findInvitedCustomer(
  tx: Queryable,
  providerId: number,
  email: string,
  mobileKey: string | null,
): Promise<KnownCustomer | null> {
  const rows = await tx.query<KnownCustomer>(sql`
    select ${known} from customer
    where provider_id = ${providerId} and erased_at is null and invited
      and (lower(email) = lower(${email}) or mobile_key = ${mobileKey}::text)
    order by lower(email) = lower(${email}) desc nulls last, id limit 1
  `)
  return rows[0] ?? null
}

/** Only where the Provider has switched pre-identification on. */
export async function findPublicCustomer(
  db: Queryable,
  providerId: number,
  reference: string,
): Promise<CustomerRow | null> {
  const rows = await db.query<CustomerRow>(sql`
    select customer.* from customer join provider on provider.id = provider_id
    where provider_id = ${providerId} and customer.reference = ${reference} and ${isNotErased} and pre_identification
  `)
  return rows[0] ?? null
}

export async function findCustomerByUuid(db: Queryable, uuid: string): Promise<CustomerRow | null> {
  const rows = await db.query<CustomerRow>(
    sql`select * from customer where uuid = ${uuid} and ${isNotErased}`,
  )
  return rows[0] ?? null
}

/** Those who are not erased. */
export async function customersById(db: Queryable, ids: number[]) {
  return db.query<CustomerRow & { providerReference: string }>(sql`
    select customer.*, (select reference from provider where id = provider_id) as provider_reference
    from customer where id = any (${ids}::bigint[]) and ${isNotErased}
  `)
}

type Known = Pick<CustomerRow, 'id' | 'name' | 'email' | 'mobile'>

/**
 * Bookings to come carry what was known of the Customer when they were made: what was wrong then is right from now on. What a
 * booking says differently stays. Returned: the Appointments in which something changed.
 */
export async function correctBookings(tx: Queryable, before: Known, after: Known): Promise<number[]> {
  const rows = await tx.query<{ appointmentId: number }>(sql`
    update participation set
      name = case when name = ${before.name} then ${after.name} else name end,
      email = case when email is not distinct from ${before.email} then ${after.email} else email end,
      mobile = case when mobile is not distinct from ${before.mobile} then ${after.mobile} else mobile end
    where id = any (array (
      select booking.id
      from (select * from participation where customer_id = ${before.id} offset 0) as booking
      cross join lateral (select * from appointment where id = appointment_id offset 0) as appointment
      where booking.state in ('BOOKED', 'REQUESTED') and appointment.state = 'ACTIVE' and end_at > app_now()
    ))
    returning appointment_id
  `)
  return [...new Set(rows.map(row => row.appointmentId))]
}
