import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atMost, type Row } from '../lib/report.ts'
import { apiKey, crm } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { requestText } from '../load/connection.ts'

/** One group B route in one process, with its key check and without. */
export const keyCheck = (): Promise<Row[]> =>
  onStage(
    async ({ service, seeded, load, bare }) => {
      const { port } = await bare('open-route', { database: service.database, crm })
      const path = `/crms/${crm}${seeded.path}/products`
      const cost = (request: string) => async () => {
        const plan = {
          port,
          connections: 16,
          seconds: 2,
          work: { kind: 'cycle' as const, requests: [request] },
        }
        return 1000 / expectOnly(await load.run(plan), 200).perSecond
      }
      const checked = cost(requestText('GET', path, { 'x-service-client-id': apiKey }))
      const unchecked = cost(requestText('GET', `/open${path}`))
      return [atMost('key check on group B', 'ms a request', await compare(checked, unchecked, 7), 1.1)]
    },
    { data: { resources: 1, days: 1 } },
  )
