import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

/** Those that wait for an answer and can still have one. */
export async function countRequests(db: Queryable, providerId: number): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from participation
    join appointment on appointment.id = participation.appointment_id
    where participation.provider_id = ${providerId} and participation.state = 'REQUESTED'
      and appointment.state = 'ACTIVE' and appointment.start_at > app_now()
  `)
  return rows[0]!.count
}
