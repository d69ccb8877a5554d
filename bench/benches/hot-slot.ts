import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atMost, type Row, reported } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { onStage } from '../lib/stage.ts'
import { holdRequest } from './reserve.ts'

const rivals = 64
const rounds = 9

/** 64 clients want one slot at the same moment; in the calm case each of them wants a different one. */
export const hotSlot = (): Promise<Row[]> =>
  onStage(async ({ service, seeded, load }) => {
    const slots = (await freeSlots(service, seeded)).map(holdRequest)
    const burst = (requests: string[]) =>
      load.run({ port: service.port, connections: rivals, seconds: 60, work: { kind: 'once', requests } })
    let wrongWinners = 0
    let contests = 0
    const hot = async () => {
      const { statuses, p99 } = expectOnly(await burst(Array(rivals).fill(slots.pop())), 200, 412)
      contests++
      if (statuses[200] !== 1) wrongWinners++
      return p99
    }
    // Without contention no request may be refused: expectOnly fails on any refusal.
    const calm = async () => expectOnly(await burst(slots.splice(-rivals)), 200).p50
    const result = await compare(hot, calm, rounds)
    return [
      {
        ...reported('one hot slot, 64 rivals', `${contests - wrongWinners} of ${contests} with one winner`),
        reach: 'one winner each time, no refusal without a collision',
        reached: wrongWinners === 0,
      },
      atMost('its p99 to the calm p50', 'ms', result, 4),
    ]
  })
