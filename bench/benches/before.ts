import { join, resolve } from 'node:path'
import { compare } from '../lib/compare.ts'
import { atMost, type Row } from '../lib/report.ts'
import { freeSlots, listPath } from '../lib/seed.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { cpuOf } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'
import { bookPairs } from './reserve.ts'

/** The CPU of bookings and lists, in turns with another checkout: `BEFORE=<folder> npm run bench before`. */
export const before = (): Promise<Row[]> => {
  if (!process.env.BEFORE) throw new Error('BEFORE must name the folder of another checkout.')
  const main = join(resolve(process.env.BEFORE), 'src', 'main.ts')
  const args = ['--without-jobs']
  return onStage(now => onStage(then => besideEachOther(now, then), { args, main }), { args })
}

const most = 1.03

async function besideEachOther(now: Stage, then: Stage): Promise<Row[]> {
  const [ours, theirs] = [await sideOf(now), await sideOf(then)]
  return [
    atMost('a booking', 'ms of CPU', await compare(ours.pair, theirs.pair, 7), most),
    atMost('a list, warm', 'ms of CPU', await compare(ours.list, theirs.list, 7), most),
  ]
}

async function sideOf({ service, seeded, load }: Stage) {
  const { port, pid } = service
  const booking = bookPairs(await freeSlots(service, seeded), service, load)
  const requests = seeded.resources.map(({ uuid }) => requestText('GET', listPath(uuid)))
  const work = { kind: 'cycle' as const, requests }
  return {
    pair: () => cpuOf(pid, booking),
    list: () => cpuOf(pid, () => load.run({ port, connections: 16, seconds: 2, work })),
  }
}
