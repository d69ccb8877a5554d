import { short } from '../lib/compare.ts'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { askConsole, type FreeSlot, freeSlots, makePractice } from '../lib/seed.ts'
import { withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { holdRequest } from './reserve.ts'

const scale = Number(process.env.SCALE ?? 1)
const rooms = Math.round(5000 * scale)
/** Those that visitors look at; they follow first. */
const shown = 50
const weeks = 12
const mostMs = 200
const perSecond = 50
const seconds = 15

/** Holds at Resources whose opening hours follow a change of time zone, beside holds before it. */
export const zoneChange = (): Promise<Row[]> =>
  onStage(
    async ({ service, load }) => {
      const seeded = await makePractice(service, shown, 0)
      const provider = await makeRooms({ service })
      const slots = await freeSlots(service, seeded)
      if (slots.length < 2 * perSecond * seconds) throw new Error('There are too few slots.')
      const before = await holdOn({ service, load }, slots)
      progress('  the time zone changes')
      const changing = askConsole(service, 'PATCH', `/providers/${provider}`, { timeZone: 'Europe/London' })
      const meanwhile = await holdOn({ service, load }, slots)
      await changing
      const refused = meanwhile.statuses['503'] ?? 0
      return [
        {
          ...reported(
            `p99 of holds while ${rooms.toLocaleString('en')} Resources follow a change of time zone, beside before`,
            `${short(meanwhile.p99)} ms, ${refused} times 503`,
            `at most ${mostMs} ms`,
          ),
          limit: `${short(before.p99)} ms`,
          reached: meanwhile.p99 <= mostMs && refused === 0,
        },
        reported(`their Timeslots follow: within ${seconds} s`, await followed({ service })),
      ]
    },
    { data: 'none' },
  )

type Scene = Pick<Stage, 'service'>

/** Open every day, with the Timeslots that the daily job has made. */
const makeRooms = ({ service }: Scene) =>
  withSql(service, async client => {
    progress(`  ${rooms} Resources with ${rooms * weeks * 7} Timeslots`)
    await client.query(
      `with made as (
        insert into resource (provider_id, reference, public_name, internal_name)
        select (select min(id) from provider), 'room-' || number, 'Room', 'R' from generate_series(1, $1::int) number
        returning id, provider_id
      ), room as (select id, provider_id from resource union all select id, provider_id from made), hours as (
        insert into opening_hours (resource_id, provider_id, weeks, made_until)
        select id, provider_id, $2::int, current_date + $2::int * 7 from room
      )
      insert into opening_rule (resource_id, provider_id, position, weekdays, from_minute, to_minute, raster, capacity, accept_bookings)
      select id, provider_id, 0, '{1,2,3,4,5,6,7}', 480, 1080, 30, 1, true from room`,
      [rooms - shown, weeks],
    )
    await client.query(
      `insert into timeslot (provider_id, resource_id, reference, start_at, end_at, raster, default_capacity,
        default_accept_bookings, state, opening_rule_id, opening_day)
      select rule.provider_id, resource_id, 'hours:' || rule.uuid || ':' || day, (day + time '08:00') at time zone time_zone,
        (day + time '18:00') at time zone time_zone, 30, 1, true, 'BOOKABLE', rule.id, day
      from opening_rule as rule join provider on provider.id = rule.provider_id,
        lateral (select current_date + n as day from generate_series(0, $1::int * 7) as n) as days`,
      [weeks],
    )
    await client.query('vacuum analyze')
    const { rows } = await client.query('select uuid from provider order by id limit 1')
    return rows[0].uuid as string
  })

/** A steady number of visitors; slots that have moved are refused, which is fine. */
function holdOn({ service, load }: Pick<Stage, 'service' | 'load'>, slots: FreeSlot[]) {
  const requests = slots.splice(0, perSecond * seconds).map(holdRequest)
  const work = { kind: 'once' as const, requests }
  return load.run({ port: service.port, connections: 16, seconds, pace: perSecond, work })
}

/** The job of each minute goes on with what the request left. */
const followed = ({ service }: Scene) =>
  withSql(service, async client => {
    const { rows } = await client.query(
      'select count(*)::int as done from opening_hours where not zone_changed',
    )
    return `${rows[0].done} of ${rooms}`
  })
