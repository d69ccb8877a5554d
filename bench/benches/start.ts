import { spread } from '../lib/compare.ts'
import { startLoad } from '../lib/load.ts'
import { type Row, reported } from '../lib/report.ts'
import { listPath, seed } from '../lib/seed.ts'
import { type Running, startService } from '../lib/service.ts'
import { residentMegabytes } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'

/** From the command to the first answer, with an empty data folder and with an existing one. */
export async function start(): Promise<Row[]> {
  const first = await startAndAsk()
  let { service } = first
  const seeded = await seed(service)
  const seconds: number[] = []
  for (let round = 0; round < 3; round++) {
    await service.stop({ keepData: true })
    const again = await startAndAsk(service.dataDir)
    service = again.service
    seconds.push(again.ms)
  }
  const idle = residentMegabytes(service.pid)
  const load = startLoad()
  const requests = seeded.resources.map(({ uuid }) =>
    requestText('GET', listPath(uuid), { 'accept-encoding': 'br' }),
  )
  await load.run({ port: service.port, connections: 16, seconds: 10, work: { kind: 'cycle', requests } })
  await load.stop()
  const loaded = residentMegabytes(service.pid)
  await service.stop()
  const { median, least, most } = spread(seconds)
  return [
    reported('cold start with initdb', `${(first.ms / 1000).toFixed(1)} s to the first answer`),
    reported(
      'second start',
      `${(median / 1000).toFixed(1)} s (${(least / 1000).toFixed(1)} to ${(most / 1000).toFixed(1)})`,
    ),
    reported('resident memory', `${idle.toFixed(0)} MB idle, ${loaded.toFixed(0)} MB after 10 s of lists`),
  ]
}

async function startAndAsk(dataDir?: string): Promise<{ service: Running; ms: number }> {
  const begun = performance.now()
  const service = await startService(dataDir === undefined ? {} : { dataDir })
  const answer = await fetch(`${service.origin}/readyz`)
  if (!answer.ok) throw new Error(`/readyz: ${answer.status}`)
  return { service, ms: performance.now() - begun }
}
