import sql, { join, type Sql } from 'sql-template-tag'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { hasAny } from '../base/conditions.ts'
import type { Queryable } from '../base/pool.ts'
import { numberOrNull, tuplesOf } from '../base/tuples.ts'
import { ownPlaces } from './own-places.ts'
import {
  type ResourceWindow,
  toWindow,
  type WindowRow,
  windowQuery,
  windowText,
  withUnlinked,
} from './windows.ts'

// Locks and reads for reserve and complete. No statement depends on an earlier result, so all of them, for
// several requests, take one round trip.

/** The uuid of a Timeslot or an Appointment that a consumer refers to, and the period around it. */
export type Target = {
  uuid: string
  from: number
  to: number
  /** For an Appointment, use its own times instead. */
  itsOwnTimes: boolean
}

/** What the uuid refers to. For a deleted Appointment, its origin is still known. */
type Meaning = {
  kind: 'timeslot' | 'appointment'
  timeslotId: number | null
  /** The Product of the Appointment. */
  productId: number | null
}

export type TargetWindow = ResourceWindow & { target: Meaning }

export const resourceOfTarget = (uuid: string) => sql`
  (select resource_id from timeslot where uuid = ${uuid}
    union all select resource_id from appointment where uuid = ${uuid} limit 1)
`

type Lockable = { target: Target; placeholder: string | null; leaving?: string }

export type Locking = {
  /** If false, skips rows that another transaction has locked. */
  waiting: boolean
  /** The lock itself raises the revision, without recording a changed range. */
  raising?: boolean
}

/** The ids of locked Resources. */
export type LockedTargets = Set<number>

/** Locks the Resources of the targets and of the holds and bookings to be replaced. */
export async function lockTargets(tx: Queryable, wanted: Lockable[], how: Locking): Promise<LockedTargets> {
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

/** Locks the Resources of these holds, skipping those locked by another transaction. */
export const lockHolds = (tx: Queryable, placeholders: (string | null)[]): Promise<LockedTargets> =>
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
 * Locks in the order of ids. Deleted rows are filtered from the result only: as a condition, the planner
 * might use another index than that of the ids. Without `raising`, the writer raises the revision and records
 * the changed range (`bump...` in db/base/ledger.ts).
 */
async function lockResources(
  tx: Queryable,
  which: Sql,
  { waiting, raising = false }: Locking,
): Promise<LockedTargets> {
  const found = sql`id, deleted_at is null as alive`
  const locked = (columns: Sql) => sql`
    select ${columns} from resource where id = any (array (${which}))
    order by id for update ${waiting ? sql`` : sql`skip locked`}
  `
  const locking = raising
    ? sql`
        update resource set revision = revision + 1 where id = any (array (${locked(sql`id`)})) returning ${found}
      `
    : locked(found)
  const rows = await tx.query<{ id: number; alive: boolean }>(locking)
  return new Set(rows.filter(row => row.alive).map(row => row.id))
}

type Loading = {
  target: Target
  channel: { key: ChannelKey; uuids: string[] }
  /** The caller's own hold, which is ignored. */
  ignoring: string | null
  /** The caller's own booking if it is being moved; also ignored. */
  leaving?: string
}

const bounds = {
  from: sql`wanted.from_at`,
  to: sql`wanted.to_at`,
  ignoring: sql`wanted.ignoring`,
  target: { raster: sql`wanted.raster`, meaning: sql`wanted.meaning` },
}
const textOfTargets = windowText(bounds)
const textOfMoves = windowText({ ...bounds, leaving: sql`wanted.leaving` })

/** Everything around each target that affects the decision; null if the target does not exist. */
export async function loadTargets(tx: Queryable, loadings: Loading[]): Promise<(TargetWindow | null)[]> {
  const text = isLeft(loadings) ? textOfMoves : textOfTargets
  const rows = await tx.query<WindowRow & { meaning: string }>(windowQuery(text, asTable(loadings)))
  const byPosition = new Map(rows.map(row => [row.position, row]))
  const windows = loadings.map((_, index) => {
    const row = byPosition.get(index + 1)
    return row ? { ...toWindow(row), target: meaningTuple.read(JSON.parse(row.meaning)) } : null
  })
  return withUnlinked(tx, windows)
}

/**
 * The Appointment exists, or it was created for a hold that expired within the last hour and is empty. One
 * that was released, cancelled or deleted is gone.
 */
const canBeHeldAgain = sql`
  appointment.state = 'ACTIVE' and (appointment.deleted_at is null or (
    appointment.deleted_at > app_clock() - interval '1 hour'
    and not ${hasAny(sql`select from participation where appointment_id = appointment.id`)}
  ))
`

/** Only moves need it; holds and bookings read no more than necessary. */
const isLeft = (loadings: Loading[]) => loadings.some(one => one.leaving)

const meaningTuple = tuplesOf<Meaning>({
  kind: sql`case when timeslot.id is null then '"appointment"' else '"timeslot"' end`,
  timeslotId: numberOrNull(
    sql`coalesce(timeslot.id, case when ${canBeHeldAgain} then appointment.timeslot_id end)`,
  ),
  productId: numberOrNull(sql`appointment.product_id`),
})

const packedMeaning = meaningTuple.packed()

// `offset 0` is a fence: the uuid is looked up in its index even before the table has statistics.
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
        ${packedMeaning} as meaning,
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
