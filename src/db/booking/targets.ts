import sql, { join, type Sql } from 'sql-template-tag'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { hasAny } from '../base/has-any.ts'
import type { Queryable } from '../base/pool.ts'
import { ownPlaces } from './own-places.ts'
import { history, type Revision } from './refs.ts'
import { type ResourceWindow, toWindow, type WindowRow, windowQuery, withUnlinked } from './windows.ts'

// Locking and reading for reserve and complete. Nothing of it depends on an earlier answer, so it travels in one round
// trip, and so do several wishes.

/** The uuid of a Timeslot or of an Appointment, which is what a consumer points at, and the time around it. */
export type Target = {
  uuid: string
  from: number
  to: number
  /** Where it is an Appointment, its own times count instead. */
  itsOwnTimes: boolean
}

/** What the uuid has turned out to mean. Of an Appointment that is gone, what it was made from is still known. */
type Meaning = {
  kind: 'timeslot' | 'appointment'
  timeslotId: number | null
  /** That of the Appointment. */
  productId: number | null
}

export type TargetWindow = ResourceWindow & { target: Meaning }

export const resourceOfTarget = (uuid: string) => sql`
  (select resource_id from timeslot where uuid = ${uuid}
    union all select resource_id from appointment where uuid = ${uuid} limit 1)
`

type Lockable = { target: Target; placeholder: string | null; leaving?: string }

export type Locking = {
  /** Else those that somebody else has locked are left out. */
  waiting: boolean
  /** The lock itself raises the revision, and nobody says which time the change concerns. */
  raising?: boolean
}

/** A Resource that is locked, at what revision, and what its last changes concerned. */
export type LockedTarget = Revision & { history: string; now: number }

type Locked = Map<number, LockedTarget>

/** Locks the Resources of the targets and those of the holds and bookings that are about to be replaced. */
export async function lockTargets(tx: Queryable, wanted: Lockable[], how: Locking): Promise<Locked> {
  const uuids = wanted.map(one => one.target.uuid)
  const placeholders = wanted.flatMap(one => one.placeholder ?? [])
  const ofTargets = sql`
    select resource_id from timeslot where uuid = any (${uuids}::uuid[])
    union all
    select resource_id from appointment where uuid = any (${uuids}::uuid[])
  `
  const leaving = wanted.flatMap(one => one.leaving ?? [])
  const some = [
    ofTargets,
    ...(placeholders.length > 0 ? [ofHolds(placeholders)] : []),
    ...(leaving.length > 0 ? [ofBookings(leaving)] : []),
  ]
  return lockResources(tx, join(some, ' union all '), how)
}

/** Locks the Resources of these holds, but for those that somebody else has locked. */
export const lockHolds = (tx: Queryable, placeholders: (string | null)[]): Promise<Locked> =>
  lockResources(tx, ofHolds(placeholders.filter(one => one !== null)), { waiting: false })

const ofHolds = (placeholders: string[]) => sql`
  select resource_id from participation join appointment on appointment.id = appointment_id
  where placeholder = any (${placeholders}::uuid[])
`

const ofBookings = (uuids: string[]) => sql`
  select resource_id from participation join appointment on appointment.id = appointment_id
  where participation.id = any (array (${ownPlaces(sql`any (${uuids}::uuid[])`)}))
`

/**
 * In the order of their ids. What was deleted is left out of the answer only: as a condition it would invite the planner to
 * look elsewhere than in the ids. Without `raising`, whoever writes behind this lock raises the revision, with what they
 * know by then (`raise...` in db/base/ledger.ts).
 */
async function lockResources(
  tx: Queryable,
  which: Sql,
  { waiting, raising = false }: Locking,
): Promise<Locked> {
  const found = sql`id, deleted_at is null as alive, revision, touched, ${history} as history, app_clock() as now`
  const locked = (columns: Sql) => sql`
    select ${columns} from resource where id = any (array (${which}))
    order by id for update ${waiting ? sql`` : sql`skip locked`}
  `
  const locking = raising
    ? sql`
        update resource set revision = revision + 1 where id = any (array (${locked(sql`id`)})) returning ${found}
      `
    : locked(found)
  const rows = await tx.query<LockedTarget & { id: number; alive: boolean }>(locking)
  return new Map(rows.filter(row => row.alive).map(row => [row.id, row]))
}

type Loading = {
  target: Target
  channel: { key: ChannelKey; uuids: string[] }
  /** The caller's own hold: it counts for nothing. */
  ignoring: string | null
  /** The caller's own booking, if they move out of it: it counts for nothing either. */
  leaving?: string
}

/** Everything around each target that decides; null where there is no such target. */
export async function loadTargets(tx: Queryable, loadings: Loading[]): Promise<(TargetWindow | null)[]> {
  const bounds = {
    from: sql`wanted.from_at`,
    to: sql`wanted.to_at`,
    ignoring: sql`wanted.ignoring`,
    ...(isLeft(loadings) ? { leaving: sql`wanted.leaving` } : {}),
    target: { raster: sql`wanted.raster`, meaning: sql`wanted.meaning` },
  }
  const rows = await tx.query<WindowRow & { meaning: Meaning }>(windowQuery(asTable(loadings), bounds))
  const byPosition = new Map(rows.map(row => [row.position, row]))
  const windows = loadings.map((_, index) => {
    const row = byPosition.get(index + 1)
    return row ? { ...toWindow(row), target: row.meaning } : null
  })
  return withUnlinked(tx, windows)
}

/**
 * While it is there, or if it lived for a hold that has expired within the hour: then nobody is left in it. One that was
 * released, cancelled or deleted is gone.
 */
const canBeHadAnew = sql`
  appointment.state = 'ACTIVE' and (appointment.deleted_at is null or (
    appointment.deleted_at > app_clock() - interval '1 hour'
    and not ${hasAny(sql`select from participation where appointment_id = appointment.id`)}
  ))
`

/** Only moves speak of it: holding and booking ask for no more than they need. */
const isLeft = (loadings: Loading[]) => loadings.some(one => one.leaving)

// `offset 0` is a fence: the uuid is looked up in its index, whatever the planner believes about tables it has not counted.
function asTable(loadings: Loading[]): Sql {
  return sql`
    (select asked.position,
        coalesce(timeslot.resource_id, appointment.resource_id) as resource_id,
        coalesce((
          select key from channel where uuid = any (asked.channels)
          order by array_position(asked.channels, uuid) desc limit 1
        ), asked.channel_key) as channel_key,
        coalesce(case when asked.its_own_times then appointment.start_at end, asked.from_at) as from_at,
        coalesce(case when asked.its_own_times then appointment.end_at end, asked.to_at) as to_at,
        coalesce(timeslot.raster, (select raster from timeslot where id = appointment.timeslot_id), 0) as raster,
        json_build_object('kind', case when timeslot.id is null then 'appointment' else 'timeslot' end,
          'timeslotId', coalesce(timeslot.id, case when ${canBeHadAnew} then appointment.timeslot_id end), 'productId', appointment.product_id) as meaning,
        asked.ignoring${isLeft(loadings) ? sql`, asked.leaving` : sql``}
      from (
        select position, uuid, from_at, to_at, its_own_times, channel_key,
          string_to_array(channels, ',')::uuid[] as channels, ignoring${isLeft(loadings) ? sql`, leaving` : sql``}
        from unnest(${loadings.map(one => one.target.uuid)}::uuid[],
          ${loadings.map(one => new Date(one.target.from))}::timestamptz[],
          ${loadings.map(one => new Date(one.target.to))}::timestamptz[],
          ${loadings.map(one => one.target.itsOwnTimes)}::boolean[],
          ${loadings.map(one => one.channel.key)}::text[],
          ${loadings.map(one => one.channel.uuids.join())}::text[],
          ${loadings.map(one => one.ignoring)}::uuid[]${isLeft(loadings) ? sql`, ${loadings.map(one => one.leaving ?? null)}::uuid[]` : sql``})
          with ordinality as asked (uuid, from_at, to_at, its_own_times, channel_key, channels, ignoring,
            ${isLeft(loadings) ? sql`leaving,` : sql``} position)
      ) as asked
      left join lateral (select * from timeslot where uuid = asked.uuid offset 0) as timeslot on true
      left join lateral (select * from appointment where uuid = asked.uuid offset 0) as appointment on true
    ) as wanted
  `
}
