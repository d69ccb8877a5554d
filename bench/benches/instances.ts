import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { progress } from '../lib/progress.ts'
import { type Row, reported } from '../lib/report.ts'
import { inParallel } from '../lib/seed.ts'
import { apiKey, crm, type Running, startService, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'

const instances = 10
/** Its PostgreSQL has 200; so many are left after others have taken theirs. */
const allowed = 100
const [bursts, perBurst] = [6, 12]
const env = { SECRET_KEY: 'of-the-benches-0123456789abcdef0123456789abcdef' }
/** Connections that are not used are closed after ten seconds. */
const untilClosedMs = 15_000

/** Ten instances on a PostgreSQL with 100 connections, all busy at once: what is refused for lack of a connection. */
export const manyInstances = (): Promise<Row[]> =>
  onStage(
    async stage => {
      const others = await takeConnections(stage.service)
      const started: Running[] = []
      try {
        progress(`  ${instances} instances`)
        for (let index = 1; index < instances; index++)
          started.push(await startService({ env: { ...env, DATABASE_URL: urlOf(stage.service) } }))
        const all = [stage.service, ...started]
        const answers = await inBursts(stage, all)
        const most = answers.mostConnections
        await pause(untilClosedMs)
        const left = await connectionsOf(stage.service)
        const refused = answers.statuses.get('503') ?? 0
        return [
          {
            ...reported(
              `${instances} instances, ${allowed} connections: refused for lack of one`,
              `${refused} of ${answers.count.toLocaleString('en')} (${most} connections at most)`,
              'none',
            ),
            reached: refused === 0 && answers.statuses.size === 1,
          },
          {
            ...reported('connections after 15 idle seconds', String(left), `fewer than ${most}`),
            reached: left < most,
          },
        ]
      } finally {
        for (const one of started) await one.stop()
        for (const one of others) await one.end()
      }
    },
    { env },
  )

const urlOf = ({ database: { user, database, host, port } }: Running) =>
  `postgres://${user}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`

/** As other programs on the same server would. */
async function takeConnections(service: Running): Promise<pg.Client[]> {
  const max = await withSql(service, async client => {
    const { rows } = await client.query(
      `select setting::int as max from pg_settings where name = 'max_connections'`,
    )
    return rows[0].max as number
  })
  const clients = Array.from(
    { length: max - allowed },
    () => new pg.Client({ ...(service.database as pg.ClientConfig), application_name: 'others' }),
  )
  await Promise.all(clients.map(client => client.connect()))
  return clients
}

const connectionsOf = (service: Running) =>
  withSql(service, async client => {
    const { rows } = await client.query(
      `select count(*)::int as count from pg_stat_activity where starts_with(application_name, 'holdfast')`,
    )
    return rows[0].count as number
  })

/** Pages of Appointments, each of which needs a connection of its own. */
async function inBursts({ service, seeded }: Stage, all: Running[]) {
  const statuses = new Map<string, number>()
  let [count, mostConnections] = [0, 0]
  const ask = async ({ origin }: Running) => {
    const answer = await fetch(`${origin}/crms/${crm}${seeded.path}/appointments?limit=10`, {
      headers: { 'x-service-client-id': apiKey },
    })
    const text = await answer.text()
    if (!answer.ok) progress(`  ${answer.status}: ${text.slice(0, 200)}`)
    count++
    statuses.set(String(answer.status), (statuses.get(String(answer.status)) ?? 0) + 1)
  }
  for (let burst = 1; burst <= bursts; burst++) {
    const asked = all.flatMap(one => Array.from({ length: perBurst }, () => one))
    await inParallel(asked, asked.length, ask)
    // This look may find none free; the next burst will tell.
    mostConnections = Math.max(mostConnections, await connectionsOf(service).catch(() => allowed))
    progress(`  burst ${burst} of ${bursts}: ${JSON.stringify(Object.fromEntries(statuses))}`)
    await pause(500)
  }
  return { statuses, count, mostConnections }
}
