import sql from 'sql-template-tag'
import { customer } from '../../entities/customer.ts'
import type { Language } from '../../languages.ts'
import { columnsOf } from '../base/columns.ts'
import type { Queryable } from '../base/pool.ts'
import type { CustomerRow } from '../scheduling/customers.ts'

// What one address has at one Provider.

/** A family may share an address. */
const maxCustomers = 50

export const customersWith = (db: Queryable, providerId: number, email: string): Promise<CustomerRow[]> =>
  db.query<CustomerRow>(sql`
    select ${columnsOf(customer)} from (
      select * from customer where provider_id = ${providerId} and lower(email) = lower(${email}) offset 0
    ) as customer
    where erased_at is null order by id limit ${maxCustomers}
  `)

const maxBookings = 200

/** Of these Customers, and those without a Customer under this address; the latest first. */
export const bookingsWith = (db: Queryable, providerId: number, email: string, customerIds: number[]) =>
  db.column<number>(sql`
    select booking.id from (
      select * from participation where id = any (array (
        select id from participation where customer_id = any (${customerIds}::bigint[])
        union all
        select id from participation
        where provider_id = ${providerId} and customer_id is null and lower(email) = lower(${email})
      )) offset 0
    ) as booking
    cross join lateral (
      select start_at from appointment where id = booking.appointment_id and deleted_at is null offset 0
    ) as appointment
    where booking.state in ('BOOKED', 'REQUESTED', 'CANCELED') and booking.deleted_at is null
    order by appointment.start_at desc, booking.id desc limit ${maxBookings}
  `)

/** Returns those who had not asked before. */
export const noteErasureRequest = (tx: Queryable, ids: number[]) =>
  tx.column<number>(sql`
    update customer set erasure_requested_at = app_clock()
    where id = any (${ids}::bigint[]) and erasure_requested_at is null and erased_at is null
    returning id
  `)

type Owner = { email: string | null; language: Language }

export const ownerOf = (db: Queryable, providerId: number) =>
  db.one<Owner>(sql`
    select email, language from app_user where id = (select owner_id from provider where id = ${providerId})
  `)
