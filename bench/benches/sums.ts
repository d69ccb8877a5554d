import { expectOnly } from '../lib/load.ts'
import { type Row, reported } from '../lib/report.ts'
import { freeSlots, listPath } from '../lib/seed.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { cpuPer } from '../lib/usage.ts'
import { requestText } from '../load/connection.ts'
import type { Outcome } from '../load/plan.ts'
import { costOfList } from './list-after-booking.ts'
import { bookPairs, holdAll } from './reserve.ts'

// The figures behind docs/scale.md: CPU per operation, all in one run of two minutes.

export const sums = async (): Promise<Row[]> => [
  ...(await onStage(ofOne, { args: ['--without-jobs'] })),
  ...(await onStage(withMails)),
  ...(await onStage(fromNothing, { env: { LIST_CACHE_MB: '0' } })),
]

async function ofOne(stage: Stage): Promise<Row[]> {
  const known = await row(stage, 'a list that is known', () => askForLists(stage, 'br, gzip'))
  const patched = await costOfList(stage)
  const slots = await freeSlots(stage.service, stage.seeded)
  const half = slots.length / 2
  return [
    known,
    reported('a list after a booking, plain', patched.text),
    await row(stage, 'a hold', holdAll(slots.slice(0, half), stage.service, stage.load)),
    await row(
      stage,
      'a hold, a booking and two mails queued',
      bookPairs(slots.slice(half), stage.service, stage.load),
    ),
  ]
}

async function withMails(stage: Stage): Promise<Row[]> {
  const slots = await freeSlots(stage.service, stage.seeded)
  return [
    await row(
      stage,
      'the same, and the mails taken out of the queue',
      bookPairs(slots, stage.service, stage.load),
    ),
  ]
}

const fromNothing = async (stage: Stage): Promise<Row[]> => [
  await row(stage, 'a list from nothing, plain', () => askForLists(stage, 'identity')),
]

async function askForLists({ service, seeded, load }: Stage, encoding: string): Promise<Outcome> {
  const requests = seeded.resources.map(({ uuid }) =>
    requestText('GET', listPath(uuid), { 'accept-encoding': encoding }),
  )
  const plan = { port: service.port, connections: 16, seconds: 3, work: { kind: 'cycle' as const, requests } }
  return expectOnly(await load.run(plan), 200)
}

/** After one round that warms up. */
async function row({ service }: Stage, what: string, work: () => Promise<Outcome>): Promise<Row> {
  await work()
  let perSecond = 0
  const cost = await cpuPer(service.pid, async () => {
    const outcome = await work()
    perSecond = outcome.perSecond
    return outcome
  })
  return reported(what, `${cost}; ${Math.round(perSecond).toLocaleString('en')} a second`)
}
