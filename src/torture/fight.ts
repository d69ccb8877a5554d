import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { program } from '../lib/root.ts'
import type { Word } from './client.ts'
import { oversoldIn, type Promises, readAppointments } from './verdict.ts'
import type { Victim } from './victim.ts'

export type TortureOptions = {
  seconds: number
  clients: number
  /** Processes of the service. */
  processes: number
  /** Seconds between two kills; 0 for none. */
  killEvery: number
  /** The folder of the version before: instead of kills, this one takes over from it. */
  upgradeFrom?: string
}

type Tally = Record<Word['what'] | 'kills', number>

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

/** What clients were promised in the end. Fails if they could not do their part: then nothing would be proved. */
export async function fight(
  victim: Victim,
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
    client.on('message', ({ what, email, detail }: Word) => {
      tally[what]++
      if (what === '5xx') promises.failures++
      // Nothing unusual where the service is killed.
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
  // Whatever is done to the service is done while clients book, however long it takes.
  async function meanwhile() {
    if (!victim.meanwhile) return
    await victim.meanwhile(options.seconds)
    for (const client of clients) client.send('enough')
  }
  try {
    const [ends] = await Promise.race([Promise.all([endings, meanwhile()]), interruption])
    const codes = ends.map(([code]) => code)
    if (codes.some(code => code !== 0)) throw new Error('A client ended before its time.')
  } finally {
    for (const timer of timers) clearInterval(timer)
    for (const client of clients) client.kill('SIGKILL')
  }
  log(`${describe(tally)}.`)
  if (tally.booked === 0) throw new Error('Nothing was booked: nothing is proved.')
  return promises
}

/** A place that was sold twice may be given back before the end; it was sold twice all the same. */
async function look({ origin }: Victim, promises: Promises) {
  // Killed just now: the next look will do.
  const appointments = await readAppointments(origin).catch(() => [])
  promises.oversold = Math.max(promises.oversold, oversoldIn(appointments))
}

function killFrom(victim: Victim, tally: Tally, everySeconds: number, until: number) {
  return setInterval(() => {
    if (Date.now() > until) return
    tally.kills++
    victim.kill((['service', 'database', 'both'] as const)[tally.kills % 3]!)
  }, everySeconds * 1000)
}

const clientFile = fileURLToPath(program('torture/client.ts'))

const startClient = (origin: string, name: string, until: number): ChildProcess =>
  fork(clientFile, [origin, name, String(until)], { detached: true })

const describe = (tally: Tally) =>
  `${tally.held} holds, ${tally.booked} bookings, ${tally.moved} moved, ${tally.cancelled} cancelled, ${tally.refused} refused, ${tally['asked again']} asked again, ${tally.kills} kills`
