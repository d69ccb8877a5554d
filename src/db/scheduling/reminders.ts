import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

/** `wanted`: false for whoever was confirmed when the reminder was due already. */
type Reminder = { id: number; providerId: number; wanted: boolean }

/** As long before the start as nearly all channels remind. */
const usualHours = raw('24')

/**
 * Marks the Participations whose reminder is due, and returns them. Several instances may ask at once; each
 * Participation is marked by one of them.
 */
export async function takeDueReminders(tx: Queryable, limit: number): Promise<Reminder[]> {
  const rows = await tx.query<Reminder>(sql`
    with due as (
      select participation.id, appointment.start_at - make_interval(hours => reminder_hours) as due_at
      from (
        -- By time, and nothing else: the fence (offset 0) keeps the planner from going by state over all of them.
        (select * from appointment where start_at > app_now() and start_at <= app_now() + interval '${usualHours} hours'
        offset 0)
        union all
        -- Few channels remind earlier than others do: of all other Resources nothing of that time is looked at.
        (select appointment.* from (
          select resource_id, max(reminder_hours) as hours from channel where reminder_hours > ${usualHours}
          group by resource_id offset 0
        ) as early cross join lateral (
          select * from appointment where resource_id = early.resource_id
            and start_at > app_now() + interval '${usualHours} hours' and start_at <= app_now() + make_interval(hours => hours)
          offset 0
        ) as appointment offset 0)
      ) as appointment
      join participation on appointment_id = appointment.id
      join channel on channel.resource_id = appointment.resource_id
        and channel.key = coalesce(participation.channel_key, 'RESOURCE_PUBLIC')
      where appointment.state = 'ACTIVE' and appointment.deleted_at is null
        and participation.state = 'BOOKED' and reminded_at is null and reminder_hours > 0
        and appointment.start_at - make_interval(hours => reminder_hours) <= app_now()
      order by appointment.start_at limit ${limit}
      for update of participation skip locked
    )
    update participation set reminded_at = app_now() from due
    where participation.id = due.id
    returning participation.id, participation.provider_id, booked_at < due_at as wanted
  `)
  return rows
}
