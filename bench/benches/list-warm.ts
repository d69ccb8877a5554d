import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { listPath } from '../lib/seed.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { cpuPer } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'

/** Lists that have not changed since the last request, compressed as browsers ask for them, and plain. */
export const listWarm = (): Promise<Row[]> =>
  onStage(async stage => [
    atLeast('list, warm, brotli', 'lists/s', await measure(stage, 'br, gzip'), 0.55),
    atLeast('list, warm, plain', 'lists/s', await measure(stage, 'identity'), 0.8),
    reported('CPU of a known list, brotli', await costOf(stage)),
  ])

const askAll = ({ seeded }: Stage, encoding: string) =>
  seeded.resources.map(({ uuid }) => requestText('GET', listPath(uuid), { 'accept-encoding': encoding }))

const costOf = (stage: Stage) =>
  cpuPer(stage.service.pid, () => {
    const work = { kind: 'cycle' as const, requests: askAll(stage, 'br, gzip') }
    return stage.load.run({ port: stage.service.port, connections: 16, seconds: 3, work })
  })

async function measure(stage: Stage, encoding: string) {
  const { service, seeded, load, bare } = stage
  const paths = seeded.resources.map(({ uuid }) => listPath(uuid))
  const answers = new Map<string, { body: Buffer; headers: Record<string, string> }>()
  for (const path of paths) answers.set(path, await rawAnswer(service.port, path, encoding))
  const limit = await bare('bytes', answers)
  const requests = askAll(stage, encoding)
  const run = (port: number) => async () => {
    const plan = { port, connections: 16, seconds: 2, work: { kind: 'cycle' as const, requests } }
    return expectOnly(await load.run(plan), 200).perSecond
  }
  return compare(run(service.port), run(limit.port))
}

/** The bytes on the wire: fetch would decompress them. */
async function rawAnswer(port: number, path: string, encoding: string) {
  const { request } = await import('node:http')
  return new Promise<{ body: Buffer; headers: Record<string, string> }>((resolve, reject) => {
    request({ port, path, host: '127.0.0.1', headers: { 'accept-encoding': encoding } }, async response => {
      const body = Buffer.concat(await Array.fromAsync(response))
      const headers: Record<string, string> = { 'content-length': String(body.length) }
      for (const name of ['content-type', 'content-encoding'])
        if (response.headers[name]) headers[name] = String(response.headers[name])
      resolve({ body, headers })
    })
      .on('error', reject)
      .end()
  })
}
