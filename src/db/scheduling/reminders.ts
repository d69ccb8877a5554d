import sql, { raw } from 'sql-template-tag'
import { suspendedProviders } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'

/** `wanted`: false if the booking was confirmed after its reminder was due. */
type Reminder = { id: number; providerId: number; wanted: boolean }

/** The lead time that nearly all channels use. */
const usualHours = raw('24')

const ofChannel = sql`
  cross join lateral (
    select * from channel where resource_id = appointment.resource_id
      and key = coalesce(participation.channel_key, 'RESOURCE_PUBLIC') offset 0
  ) as channel
`

/** Fenced (offset 0): planned while few rows exist, a join would read all people of a Provider for each Appointment. */
const withPeople = sql`
  cross join lateral (select * from participation where appointment_id = appointment.id offset 0) as participation
  ${ofChannel}
`

const dueAt = sql`appointment.start_at - make_interval(hours => reminder_hours)`

const isDue = sql`
  appointment.state = 'ACTIVE' and appointment.deleted_at is null
  and participation.state = 'BOOKED' and reminded_at is null and reminder_hours > 0 and ${dueAt} <= app_now()
  and participation.provider_id <> all (${suspendedProviders})
`

/**
 * Marks those of these Participations whose reminder is still due and returns them. Concurrent instances never
 * mark the same one.
 */
export async function takeDueReminders(tx: Queryable, ids: number[]): Promise<Reminder[]> {
  const locked = await tx.query<{ id: number }>(sql`
    select id from participation where id = any (${ids}::bigint[]) and reminded_at is null
    for update skip locked
  `)
  if (locked.length === 0) return []
  const found = locked.map(row => row.id)
  // Checked again under the lock, because a booking may have moved or its channel changed.
  return tx.query<Reminder>(sql`
    with due as (
      select participation.id, ${dueAt} as due_at
      from (select * from participation where id = any (${found}::bigint[]) offset 0) as participation
      cross join lateral (select * from appointment where id = participation.appointment_id offset 0) as appointment
      ${ofChannel}
      where ${isDue} and appointment.start_at > app_now()
    )
    update participation set reminded_at = app_now() from due
    where participation.id = due.id
    returning participation.id, participation.provider_id, booked_at < due_at as wanted
  `)
}

/** All at once, the most urgent first: searching again for each batch would read the same day many times. */
export const findDueReminders = (db: Queryable, limit: number) =>
  db.column<number>(sql`
    select participation.id
    from (
      -- The fence (offset 0) keeps the planner on the index by time, instead of reading all rows by state.
      (select * from appointment where start_at > app_now() and start_at <= app_now() + interval '${usualHours} hours'
      offset 0)
      union all
      -- Few channels remind earlier than usual; only their Resources are read beyond the usual period.
      (select appointment.* from (
        select resource_id, max(reminder_hours) as hours from channel where reminder_hours > ${usualHours}
        group by resource_id offset 0
      ) as early cross join lateral (
        select * from appointment where resource_id = early.resource_id
          and start_at > app_now() + interval '${usualHours} hours' and start_at <= app_now() + make_interval(hours => hours)
        offset 0
      ) as appointment offset 0)
    ) as appointment ${withPeople}
    where ${isDue}
    order by appointment.start_at limit ${limit}
  `)
