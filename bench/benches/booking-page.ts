import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atMost, type Row, reported } from '../lib/report.ts'
import { listPath } from '../lib/seed.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { cpuOfOne } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'
import { costOfList } from './list-after-booking.ts'

const pagePath = (uuid: string) => `/book/${uuid}`

const browser = { 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }

/** The hosted booking page: views of a page that has not changed, and views after one booking each. */
export const bookingPage = (): Promise<Row[]> =>
  onStage(async stage => {
    const unchanged = await compare(cpuOf(stage, pagePath), cpuOf(stage, listPath), 3)
    const changed = await costOfList(stage, browser['accept-encoding'], pagePath)
    const most = 4
    return [
      atMost('page, unchanged, beside the list', 'ms of CPU', unchanged, 3),
      {
        ...reported('page after a booking, CPU', changed.text, `at most ${most} ms`),
        reached: changed.own + changed.below <= most,
      },
    ]
  })

function cpuOf({ service, seeded, load }: Stage, path: (uuid: string) => string) {
  const requests = seeded.resources.map(({ uuid }) => requestText('GET', path(uuid), browser))
  return async () => {
    const plan = {
      port: service.port,
      connections: 16,
      seconds: 2,
      work: { kind: 'cycle' as const, requests },
    }
    const { own, below } = await cpuOfOne(service.pid, async () => expectOnly(await load.run(plan), 200))
    return own + below
  }
}
