import sql from 'sql-template-tag'
import { Batcher, type Pending } from '../../lib/batcher.ts'
import type { Queryable } from '../base/pool.ts'
import type { Revision } from './refs.ts'
import { appointments, type PackedAppointments } from './window-appointments.ts'

/** A Resource and a short period. */
export type NearbyPlace = { resourceId: number; from: number; to: number; showsFull: boolean }

/**
 * Appointments that block the period, with the revision they belong to; undefined if the Resource is gone.
 */
export type Nearby = Revision & { now: number; appointments: PackedAppointments }

type Answer = (Nearby | undefined)[]

/** Reads Appointments in short periods; concurrent reads share one statement. */
export class NearbyReader {
  db: Queryable
  questions = new Batcher<NearbyPlace[], Answer>(group => this.answer(group), {
    concurrency: 2,
    maxBatch: 32,
    minForSecond: 4,
  })

  constructor(db: Queryable) {
    this.db = db
  }

  read(places: NearbyPlace[]): Promise<Answer> {
    return this.questions.add(places)
  }

  async answer(group: Pending<NearbyPlace[], Answer>[]) {
    const found = await findNearby(
      this.db,
      group.flatMap(one => one.item),
    )
    let at = 0
    for (const { item, resolve } of group) {
      resolve(item.map((_, index) => found.get(at + index + 1)))
      at += item.length
    }
  }
}

const bounds = {
  from: sql`wanted.from_at`,
  to: sql`wanted.to_at`,
  showsFull: sql`wanted.shows_full`,
  isShort: true,
  contacts: 'noticed' as const,
}

/** By position. One statement, so the snapshot of each Resource is consistent. */
async function findNearby(db: Queryable, places: NearbyPlace[]): Promise<Map<number, Nearby>> {
  const rows = await db.query<Nearby & { position: number }>(sql`
    select wanted.position, app_clock() as now, resource.revision, resource.touched,
      ${appointments(bounds)} as appointments
    from unnest(${places.map(one => one.resourceId)}::bigint[], ${places.map(one => new Date(one.from))}::timestamptz[],
      ${places.map(one => new Date(one.to))}::timestamptz[], ${places.map(one => one.showsFull)}::boolean[])
      with ordinality as wanted (resource_id, from_at, to_at, shows_full, position)
    cross join lateral (select * from resource where id = wanted.resource_id offset 0) as resource
    cross join (select 0 as lead, 0 as reach) as offer
    where resource.deleted_at is null
  `)
  return new Map(rows.map(row => [row.position, row]))
}
