import { compare, compared } from '../lib/compare.ts'
import { apart } from '../lib/cores.ts'
import { expectOnly } from '../lib/load.ts'
import { atLeast, atMost, type Row, reported } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { cpuOfEach } from '../lib/usage.ts'
import { holdRequest } from './reserve.ts'

const rounds = 7
/** Long enough for a steady queue: in the first second the service admits a burst. */
const warming = 1.5
/** Long enough for all connections to be active. */
const start = 0.5
const seconds = 2
/** Enough for some connections to be free to send while others wait for an answer. */
const many = 256
/** As many as the service admits at once: none is refused, and it is never idle. */
const letIn = 64

type Round = { best: number; arrived: number; refused: number; busy: number; p99: number; calmP99: number }

/** Twice as many holds per second as the service can make, from many independent connections. */
export function overload(): Promise<Row[]> {
  const { said, ...prefixes } = apart()
  return onStage(async stage => rowsOf(await measure(stage), said), { data: { resources: 320 }, ...prefixes })
}

async function measure(stage: Stage) {
  const hold = await holder(stage)
  const all: Round[] = []
  const atBest = async () => (await hold(letIn, seconds, undefined, start)).held
  let best = await atBest()
  const overloaded = async () => {
    const { held, arrived, accepted, count, p99, busy } = await hold(many, seconds, best * 2, warming)
    all.push({ best, arrived, refused: 1 - accepted / count, busy, p99, calmP99: 0 })
    return held
  }
  // Measured around each overload round, so that each figure is compared with its neighbours.
  const saturated = async () => {
    best = await atBest()
    all.at(-1)!.calmP99 = (await hold(many, seconds, best * 0.5, start)).p99
    return best
  }
  const throughput = await compare(overloaded, saturated, rounds)
  // The first round warms up.
  return { throughput, all: all.slice(1) }
}

function rowsOf({ throughput, all }: Awaited<ReturnType<typeof measure>>, said: string): Row[] {
  const latency = compared(all.map(({ p99, calmP99 }) => ({ ours: p99, limit: calmP99 })))
  // Checks that the load really arrived: otherwise the figures would mean nothing.
  const arrived = compared(all.map(({ arrived, best }) => ({ ours: arrived, limit: best * 2 })))
  const share = (of: (round: Round) => number) =>
    `${((all.reduce((sum, round) => sum + of(round), 0) / all.length) * 100).toFixed(0)} %`
  return [
    atLeast('twice of what saturates it: holds to its best', 'holds/s', throughput, 0.9),
    atMost('p99 of those let in, to half of what saturates it', 'ms', latency, 5),
    atLeast('arrived, of the twice that was to', 'requests/s', arrived, 0.95),
    reported(
      'refused with 503 at once',
      share(one => one.refused),
    ),
    reported(
      `service and PostgreSQL ${said}, which is busy for`,
      share(one => one.busy),
    ),
  ]
}

/** Holds slots that no earlier round has taken. */
async function holder({ service, seeded, load }: Stage) {
  const slots = (await freeSlots(service, seeded)).map(holdRequest)
  const loadMs = () => cpuOfEach([load.pid]).get(load.pid) ?? 0
  let used = 0
  return async (connections: number, seconds: number, pace?: number, warming = 0) => {
    const requests = slots.slice(used, used + 20_000)
    const work = { kind: 'once', requests } as const
    const plan = { port: service.port, connections, seconds, warming, ...(pace ? { pace } : {}), work }
    const before = loadMs()
    const outcome = expectOnly(await load.run(plan), 200, 503)
    used += outcome.used
    if (used >= slots.length) throw new Error('There are too few slots.')
    const busy = (loadMs() - before) / (outcome.seconds + warming) / 1000
    // Counted by the time of the answer. Counting by the time of sending would credit the overloaded service
    // with no work at the end, although it was still answering.
    const arrived = Object.values(outcome.answered).reduce((sum, count) => sum + count, 0) / seconds
    return { ...outcome, busy, arrived, held: (outcome.answered[200] ?? 0) / seconds }
  }
}
