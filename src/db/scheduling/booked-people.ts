import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'
import { futureAppointmentsOf } from './appointments.ts'

/** Upcoming Appointments of a Resource and the people booked in them. */
export async function bookedPeople(db: Queryable, resourceId: number) {
  const ids = await futureAppointmentsOf(db, resourceId)
  const people = await db.query<{ name: string | null; start: number }>(sql`
    select participation.name, appointment.start_at as start
    from appointment join participation on participation.appointment_id = appointment.id
    where appointment.id = any (${ids}) and participation.state in ('BOOKED', 'REQUESTED')
      and participation.deleted_at is null
    order by appointment.start_at, participation.id
  `)
  return { appointments: ids.length, people }
}
