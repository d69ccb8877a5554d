import sql from 'sql-template-tag'
import type { Queryable } from '../base/pool.ts'

// Days that were counted at night for the reports of large businesses.

type DayRow = { day: string; body: unknown }

/** In order; days of another time zone are left out. */
export const findDays = (
  db: Queryable,
  { id, timeZone }: { id: number; timeZone: string },
  from: string,
  to: string,
): Promise<DayRow[]> =>
  db.query<DayRow>(sql`
    select day::text, body from report_day
    where provider_id = ${id} and day >= ${from}::date and day < ${to}::date and time_zone = ${timeZone}
    order by day
  `)

export async function replaceDays(
  tx: Queryable,
  { id, timeZone }: { id: number; timeZone: string },
  rows: DayRow[],
) {
  await tx.query(sql`
    insert into report_day (provider_id, day, time_zone, body)
    select ${id}, day::date, ${timeZone}, body::json
    from unnest(${rows.map(row => row.day)}::text[], ${rows.map(row => JSON.stringify(row.body))}::text[]) as one(day, body)
    on conflict (provider_id, day) do update set time_zone = excluded.time_zone, body = excluded.body
  `)
}

export const deleteDaysOutside = (db: Queryable, id: number, from: string, to: string) =>
  db.query(sql`
    delete from report_day where provider_id = ${id} and (day < ${from}::date or day >= ${to}::date)
  `)

/** Providers with at least so many Appointments between these instants, by id. */
export async function largeProviders(
  db: Queryable,
  span: { from: number; to: number; atLeast: number },
  afterId: number,
): Promise<{ id: number; isLarge: boolean }[]> {
  return db.query(sql`
    select id, (
      select count(*) = ${span.atLeast} from (
        select from appointment
        where provider_id = provider.id and deleted_at is null
          and start_at >= ${new Date(span.from)} and start_at < ${new Date(span.to)}
        limit ${span.atLeast}
      ) as found
    ) as is_large
    from provider where id > ${afterId} order by id limit 100
  `)
}
