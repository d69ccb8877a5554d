import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, type Row, reported } from '../lib/report.ts'
import { makePractice } from '../lib/seed.ts'
import { apiKey, crm } from '../lib/service.ts'
import { onStage } from '../lib/stage.ts'
import { cpuPer } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'

const resources = 2000
const connections = 8
const inOneCall = 1000

/**
 * An integrator that sends all its Resources every night: new ones, one call each, compared with a bare
 * program that inserts the same rows; then the same unchanged; then new ones in batches.
 */
export const sync = (): Promise<Row[]> =>
  onStage(
    async ({ service, load, bare }) => {
      const { path } = await makePractice(service, 0, 0)
      let round = 0
      const requests = (name: string, size: number) =>
        batches(name, size).map(body =>
          requestText('POST', `/crms/${crm}${path}/resources`, { 'x-service-client-id': apiKey }, body),
        )
      const send = async (port: number, texts: string[], statuses: number[]) => {
        const work = { kind: 'once' as const, requests: texts }
        return expectOnly(await load.run({ port, connections, seconds: 60, work }), ...statuses)
      }
      const creating = () => send(service.port, requests(`one-${++round}`, 1), [201])
      const again = () => send(service.port, requests(`one-${round}`, 1), [200])
      const inBatches = () => send(service.port, requests(`batch-${++round}`, inOneCall), [201])
      const { port } = await bare('insert-resource', service.database)
      const inserting = () => send(port, requests(`bare-${++round}`, 1), [201])
      const rate = (work: () => Promise<{ seconds: number }>) => async () =>
        resources / (await work()).seconds
      const oneByOne = (work: typeof inBatches) => async () => ({ ...(await work()), count: resources })
      const created = await compare(rate(creating), rate(inserting), 5)
      await creating()
      const unchanged = await compare(rate(again), rate(creating), 5)
      const batched = await compare(rate(inBatches), rate(creating), 5)
      return [
        atLeast('Resources created, one call each', 'a second', created, 0.35),
        atLeast('the same again, unchanged, to created', 'a second', unchanged, 2),
        atLeast(`in batches of ${inOneCall}, to created`, 'a second', batched, 8),
        reported('CPU of one created', await cpuPer(service.pid, creating)),
        reported('CPU of one unchanged', await cpuPer(service.pid, again)),
        reported('CPU of one in a batch', await cpuPer(service.pid, oneByOne(inBatches))),
      ]
    },
    { data: 'none' },
  )

function batches(name: string, size: number): object[] {
  const all = Array.from({ length: resources }, (_, index) => ({
    reference: `${name}-${index}@bench`,
    publicName: `Room ${index}`,
    internalName: `R${index}`,
    description: 'A room with a view.',
  }))
  if (size === 1) return all
  return Array.from({ length: resources / size }, (_, index) => ({
    resources: all.slice(index * size, (index + 1) * size),
  }))
}
