import { holdRequest } from '../benches/reserve.ts'
import { requestText } from '../load/connection.ts'
import { expectOnly } from './load.ts'
import { freeSlots, listPath } from './seed.ts'
import type { Stage } from './stage.ts'

// What visitors of a booking page wait for, at a pace that leaves the service mostly idle.

const listsPerSecond = 40
const holdsPerSecond = 25
const seconds = 4

/** How long `measure` takes. */
export const visitSeconds = 2 * seconds

/** Lists that are known or patched after a hold, and holds of slots that no earlier round has taken. */
export async function visitor({ service, seeded, load }: Stage) {
  const slots = (await freeSlots(service, seeded)).map(holdRequest)
  const lists = seeded.resources.map(({ uuid }) =>
    requestText('GET', listPath(uuid), { 'accept-encoding': 'br' }),
  )
  const plan = { port: service.port, connections: 16, seconds }
  return async () => {
    const requests = slots.splice(0, seconds * holdsPerSecond)
    const holding = { ...plan, pace: holdsPerSecond, work: { kind: 'once', requests } as const }
    const listing = { ...plan, pace: listsPerSecond, work: { kind: 'cycle', requests: lists } as const }
    return {
      hold: expectOnly(await load.run(holding), 200),
      list: expectOnly(await load.run(listing), 200),
    }
  }
}
