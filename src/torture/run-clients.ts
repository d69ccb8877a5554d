import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { runnableProgram } from '../lib/root.ts'
import type { ClientReport } from './client.ts'
import type { ServiceUnderTest } from './service-under-test.ts'
import { oversoldIn, type Promises, readAppointments } from './verdict.ts'

export type TortureOptions = {
  seconds: number
  clients: number
  /** Processes of the service. */
  processes: number
  /** Seconds between kills; 0 for none. */
  killEvery: number
  /** Folder of the previous version: instead of kills, this version replaces it. */
  upgradeFrom?: string
}

type Tally = Record<ClientReport['what'] | 'kills', number>

const nothing: Tally = {
  booked: 0,
  moved: 0,
  cancelled: 0,
  held: 0,
  refused: 0,
  'asked again': 0,
  '5xx': 0,
  'cut off': 0,
  kills: 0,
}

/**
 * Returns the promises that clients received. Fails if they could not do their part, because then nothing is
 * proved.
 */
export async function runClients(
  victim: ServiceUnderTest,
  options: TortureOptions,
  log: (line: string) => void,
  interruption: Promise<never>,
): Promise<Promises> {
  const promises: Promises = { booked: new Set(), cancelled: new Set(), oversold: 0, failures: 0, cutOff: 0 }
  const tally: Tally = { ...nothing }
  const until = Date.now() + options.seconds * 1000
  const clients = Array.from({ length: options.clients }, (_, index) =>
    startClient(victim.origin, `c${index + 1}`, victim.meanwhile ? Number.POSITIVE_INFINITY : until),
  )
  for (const client of clients)
    client.on('message', ({ what, email, detail }: ClientReport) => {
      tally[what]++
      if (what === '5xx') promises.failures++
      // Expected while the service is killed.
      if (what === '5xx' && victim.meanwhile) log(`  ${detail}`)
      if (what === 'cut off') promises.cutOff++
      if (what === 'booked' || what === 'cancelled') promises[what].add(email!)
    })
  const endings = Promise.all(clients.map(client => once(client, 'exit')))
  const timers = [
    setInterval(() => log(`  ${describe(tally)}`), 5_000),
    setInterval(() => void look(victim, promises), 300),
    ...(options.killEvery > 0 ? [killFrom(victim, tally, options.killEvery, until)] : []),
  ]
  // Everything done to the service happens while clients book, however long it takes.
  async function killRepeatedly() {
    if (!victim.meanwhile) return
    await victim.meanwhile(options.seconds)
    for (const client of clients) client.send('enough')
  }
  try {
    const [ends] = await Promise.race([Promise.all([endings, killRepeatedly()]), interruption])
    const codes = ends.map(([code]) => code)
    if (codes.some(code => code !== 0)) throw new Error('A client ended early.')
  } finally {
    for (const timer of timers) clearInterval(timer)
    for (const client of clients) client.kill('SIGKILL')
  }
  log(`${describe(tally)}.`)
  if (tally.booked === 0) throw new Error('Nothing was booked, so nothing is proved.')
  return promises
}

/** A place that was sold twice may be released before the end, so it is checked during the run too. */
async function look({ origin }: ServiceUnderTest, promises: Promises) {
  // The service was just killed; the next check will do.
  const appointments = await readAppointments(origin).catch(() => [])
  promises.oversold = Math.max(promises.oversold, oversoldIn(appointments))
}

function killFrom(victim: ServiceUnderTest, tally: Tally, everySeconds: number, until: number) {
  return setInterval(() => {
    if (Date.now() > until) return
    tally.kills++
    victim.kill((['service', 'database', 'both'] as const)[tally.kills % 3]!)
  }, everySeconds * 1000)
}

const clientFile = fileURLToPath(runnableProgram('torture/client.ts'))

const startClient = (origin: string, name: string, until: number): ChildProcess =>
  fork(clientFile, [origin, name, String(until)], { detached: true })

const describe = (tally: Tally) =>
  `${tally.held} holds, ${tally.booked} bookings, ${tally.moved} moved, ${tally.cancelled} cancelled, ${tally.refused} refused, ${tally['asked again']} retried, ${tally.kills} kills`
