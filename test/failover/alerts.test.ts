// npm run failover: a real Prometheus scrapes the service with the shipped rules during a database outage.

import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ensureCluster } from '../../src/db/embedded/cluster.ts'
import { SUPERUSER } from '../../src/db/embedded/socket.ts'
import { packagePath } from '../../src/lib/root.ts'
import { newPlace, startPostgres } from '../support/postgres.ts'
import { freePort, newDataDir, serve } from '../support/process.ts'
import { eventually } from '../support/service.ts'

const isHere = spawnSync('prometheus', ['--version']).status === 0

it.skipIf(!isHere)(
  'raises alerts while the database is unavailable, and none before',
  async () => {
    const place = await newPlace()
    await ensureCluster(place, { sync: false, log: () => {} })
    const postgres = await startPostgres(place, {})
    const service = await serve({
      DATABASE_URL: `postgres://${SUPERUSER}@127.0.0.1:${postgres.port}/postgres`,
      PORT: await freePort(),
      SECRET_KEY: 's'.repeat(32),
      LOG_LEVEL: 'silent',
    })
    const visits = setInterval(() => void fetch(`${service.url}/book/unknown`).catch(() => {}), 500)
    onTestFinished(() => clearInterval(visits))
    const prometheus = await startPrometheus(new URL(service.url).host)
    await eventually(async () => (await prometheus.value('holdfast_ready')) === 1, 30)
    await eventually(
      async () => (await prometheus.value('sum(rate(holdfast_http_requests_total[10s]))')) > 0,
      30,
    )
    expect(await prometheus.firing()).toEqual([])

    postgres.kill()
    const wanted = ['HoldfastNotReady', 'HoldfastUnavailable']
    await eventually(async () => (await prometheus.firing()).join() === wanted.join(), 60)
  },
  120_000,
)

/** The shipped rules, with seconds instead of minutes. */
async function startPrometheus(target: string) {
  const folder = newDataDir()
  const rules = readFileSync(packagePath('deploy/prometheus/alerts.yml'), 'utf8')
  writeFileSync(
    join(folder, 'alerts.yml'),
    rules.replace(/for: \d+[mh]/g, 'for: 2s').replace(/\[5m\]/g, '[10s]'),
  )
  writeFileSync(
    join(folder, 'prometheus.yml'),
    `global: { scrape_interval: 3s, scrape_timeout: 3s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs:
  - { job_name: holdfast, static_configs: [{ targets: ['${target}'] }] }
`,
  )
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  // Until it has loaded its data, it does not answer with JSON.
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
      .then(async answer => (await answer.json()).data)
      .catch(() => null)
  return {
    value: async (query: string) =>
      Number((await ask(`query?query=${encodeURIComponent(query)}`))?.result[0]?.value[1]),
    firing: async (): Promise<string[]> =>
      ((await ask('alerts'))?.alerts ?? [])
        .filter((one: { state: string }) => one.state === 'firing')
        .map((one: { labels: { alertname: string } }) => one.labels.alertname)
        .sort(),
  }
}
