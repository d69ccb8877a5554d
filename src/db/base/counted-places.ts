import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from './queryable.ts'

// Counting the people of a large group for each booking would take longer with every person. So its first
// Participations are counted once (`counted_to`, `counted_places`), database triggers keep that count, and
// only those after them are read. Holds expire without a write and are never among the counted.

/** Participations of `appointment` that are not counted yet. */
export const uncounted = sql`
  select * from participation
  where participation.appointment_id = appointment.id and participation.id > coalesce(appointment.counted_to, 0)
`

/** The number of places of `appointment` taken now. */
export const placesTaken = sql`
  (coalesce(appointment.counted_places, 0) + (
    select coalesce(sum(places), 0) from (${uncounted}) as place where takes_place(place.state, place.expires_at, app_clock())
  ))
`

/** The counted places of `appointment` without these Participations. */
export const countedWithout = (ids: Sql) => sql`
  (counted_places - (
    select coalesce(sum(places), 0) from participation
    where id = any (${ids}) and appointment_id = appointment.id and id <= counted_to and state in ('BOOKED', 'REQUESTED')
  ))
`

/** Before all people change at once: the triggers would write the Appointment again for each of them. */
export const notCounted = sql`counted_to = null, counted_places = null, counted_people = null`

/** Counting in steps keeps both the reads and the writes of a booking few. */
const step = 200

type Group = { id: number; capacity: number }

/**
 * Counts up to the first hold, if enough people have come since the last time. Call it with each booking, under
 * the lock of the Resource, which all changes of people hold.
 */
export async function countGroups(tx: Queryable, groups: Group[]) {
  const ids = groups.filter(one => one.capacity > step).map(one => one.id)
  if (ids.length === 0) return
  await tx.query(sql`
    update appointment set counted_to = fresh.last, counted_places = coalesce(known.counted_places, 0) + fresh.places,
      counted_people = coalesce(known.counted_people, 0) + fresh.people
    from unnest(${ids}::bigint[]) as wanted (id)
    cross join lateral (select * from appointment where id = wanted.id offset 0) as known
    cross join lateral (
      select max(place.id) as last, count(*) as people,
        coalesce(sum(place.places) filter (where place.state in ('BOOKED', 'REQUESTED')), 0) as places
      from participation as place
      where place.appointment_id = wanted.id and place.id > coalesce(known.counted_to, 0)
        and place.id < coalesce((
          select hold.id from participation as hold
          where hold.appointment_id = wanted.id and hold.id > coalesce(known.counted_to, 0) and hold.state = 'RESERVED'
          order by hold.id limit 1
        ), 9223372036854775807)
    ) as fresh
    where appointment.id = wanted.id and fresh.people > ${step}
  `)
}
