import { startBareText } from '../lib/bare-text.ts'
import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { listPath } from '../lib/seed.ts'
import { withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { cpuMs, cpuOfEach } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'

/**
 * Every list is requested after one change at its Resource: a booking is cancelled, or made again. Both sides
 * have the same change before each list. The load process writes it, as another instance of the service
 * would.
 */
export const listAfterBooking = (): Promise<Row[]> =>
  onStage(async stage => {
    const plain = await measure(stage, 'identity')
    const compressed = await measure(stage, 'gzip, deflate, br, zstd')
    const cost = await costOfList(stage)
    return [
      atLeast('list after a booking, plain', 'lists/s', plain, 1.3),
      atLeast('list after a booking, compressed', 'lists/s', compressed, 2),
      {
        ...reported('CPU of a list after a booking', cost.text, 'PostgreSQL at most 0.30 ms'),
        reached: cost.below <= 0.3,
      },
    ]
  })

async function measure(stage: Stage, encoding: string) {
  const { service, load } = stage
  const limit = await startBareText(stage, { compressed: encoding !== 'identity' })
  const work = await changedLists(stage, encoding)
  const run = (port: number) => async () => {
    await catchUp(stage, port)
    return expectOnly(await load.run({ port, connections: 16, seconds: 3, work }), 200).perSecond
  }
  return compare(run(service.port), run(limit.port))
}

/**
 * Requests each list once, uncounted: while the other side was measured, its Resource changed more often than
 * the cache can patch, and the bench measures a list after one change.
 */
async function catchUp({ load, seeded }: Stage, port: number) {
  const requests = seeded.resources.map(({ uuid }) => requestText('GET', listPath(uuid)))
  expectOnly(await load.run({ port, connections: 4, seconds: 10, work: { kind: 'once', requests } }), 200)
}

/**
 * The CPU of the list alone: the change before it uses connections of the load process, whose backends are
 * not counted.
 */
export async function costOfList(stage: Stage, encoding = 'identity', path = listPath) {
  const { service, load } = stage
  const work = await changedLists(stage, encoding, path)
  await catchUp(stage, service.port)
  const before = await usedBy(service)
  const { count } = await load.run({ port: service.port, connections: 16, seconds: 5, work })
  const after = await usedBy(service)
  const own = (after.own - before.own) / count
  const below = sum([...after.backends].map(([pid, ms]) => ms - (before.backends.get(pid) ?? 0))) / count
  return { own, below, text: `service ${own.toFixed(2)} ms, PostgreSQL ${below.toFixed(2)} ms` }
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

/** The service itself and each of its connections: some open and close during the measurement. */
export async function usedBy(service: Stage['service']) {
  const { rows } = await withSql(service, client =>
    client.query(`select pid from pg_stat_activity where starts_with(application_name, 'holdfast')`),
  )
  return { own: cpuMs(service.pid).own, backends: cpuOfEach(rows.map(row => row.pid)) }
}

const bookingsEach = 10

/** Every Resource in turn, or the first few, and some bookings of each in turn. */
export async function changedLists(
  { service }: Stage,
  encoding: string,
  path = listPath,
  most: number | null = null,
) {
  const { rows } = await withSql(service, client =>
    client.query(
      `select resource.uuid, ids from resource cross join lateral (
        select array (select id::int from appointment where resource_id = resource.id order by md5(id::text) limit ${bookingsEach}) as ids
      ) as picked
      order by resource.id limit $1`,
      [most],
    ),
  )
  const requests = Array.from({ length: bookingsEach }, (_, turn) =>
    rows.map(({ uuid, ids }) => ({
      request: requestText('GET', path(uuid), { 'accept-encoding': encoding }),
      value: String(ids[turn]),
    })),
  ).flat()
  return { kind: 'changed' as const, requests, sql: change, database: service.database }
}

// Not flushed to disk: the bench measures the list.
const change = `
  with quick as (select set_config('synchronous_commit', 'off', true)), changed as (
    update appointment set state = case state when 'ACTIVE' then 'CANCELLED' else 'ACTIVE' end
    from quick where id = $1::text::bigint returning resource_id, blocked_from, blocked_to
  )
  update resource set revision = revision + 1,
    touched = left((revision + 1) || ':' || floor(date_part('epoch', blocked_from) / 60)::bigint || '-'
      || ceil(date_part('epoch', blocked_to) / 60)::bigint || ';' || touched, 200)
  from changed where id = resource_id`
