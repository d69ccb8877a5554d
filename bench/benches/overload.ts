import { compare } from '../lib/compare.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, atMost, type Row, reported } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { onStage } from '../lib/stage.ts'
import { holdRequest } from './reserve.ts'

const rounds = 3
/** Long enough that a queue is one: the service lets crowds in for the first second. */
const warming = 1.5
const seconds = 2

/** Twice as many holds a second as it can make, from many connections that do not wait for each other. */
export const overload = (): Promise<Row[]> =>
  onStage(
    async ({ service, seeded, load }) => {
      const slots = (await freeSlots(service, seeded)).map(holdRequest)
      let used = 0
      const { port } = service
      const hold = async (connections: number, seconds: number, pace?: number, warming = 0) => {
        const requests = slots.slice(used, used + 20_000)
        const plan = {
          port,
          connections,
          seconds,
          warming,
          ...(pace ? { pace } : {}),
          work: { kind: 'once', requests } as const,
        }
        const outcome = expectOnly(await load.run(plan), 200, 503)
        used += outcome.used
        if (used >= slots.length) throw new Error('There are too few slots.')
        return { ...outcome, held: (outcome.statuses[200] ?? 0) / outcome.seconds }
      }
      let best = (await hold(64, seconds)).held
      const tooMuch: { refused: number; p99: number }[] = []
      const overloaded = async () => {
        const { held, count, accepted, p99 } = await hold(256, seconds, best * 2, warming)
        tooMuch.push({ refused: 1 - accepted / count, p99 })
        return held
      }
      const saturated = async () => {
        best = (await hold(64, seconds)).held
        return best
      }
      const throughput = await compare(overloaded, saturated, rounds)
      const latency = await compare(
        async () => tooMuch.pop()!.p99,
        async () => (await hold(256, seconds, best * 0.5, 0.5)).p99,
        rounds - 1,
      )
      const share = tooMuch[0]!.refused * 100
      return [
        atLeast('twice of what saturates it: holds to its best', 'holds/s', throughput, 0.9),
        atMost('p99 of those let in, to half of what saturates it', 'ms', latency, 5),
        reported('refused with 503 at once', `${share.toFixed(0)} %`),
      ]
    },
    { data: { resources: 320 } },
  )
