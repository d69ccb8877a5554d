import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, type Row } from '../lib/report.ts'
import { listPath } from '../lib/seed.ts'
import { onStage } from '../lib/stage.ts'
import { requestText } from '../load/connection.ts'

/** Lists that the client already has: If-None-Match, 304. */
export const listConditional = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load, bare }) => {
    const tags = new Map<string, string>()
    for (const { uuid } of seeded.resources)
      tags.set(listPath(uuid), (await fetch(service.origin + listPath(uuid))).headers.get('etag')!)
    const limit = await bare('not-modified', tags)
    const requests = [...tags].map(([path, tag]) => requestText('GET', path, { 'if-none-match': tag }))
    const run = (port: number) => async () => {
      const plan = { port, connections: 16, seconds: 2, work: { kind: 'cycle' as const, requests } }
      return expectOnly(await load.run(plan), 304).perSecond
    }
    return [atLeast('list, conditional', 'lists/s', await compare(run(service.port), run(limit.port)), 0.5)]
  })
