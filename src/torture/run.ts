import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Word } from './client.ts'
import { type MailSink, openMailSink } from './mail-sink.ts'
import { makePractice } from './practice.ts'
import { judge, type Promises, readAppointments, type Verdict } from './verdict.ts'
import { startVictim, untilReady, type Victim } from './victim.ts'

export type TortureOptions = {
  seconds: number
  clients: number
  /** Processes of the service. */
  processes: number
  /** Seconds between two kills; 0 for none. */
  killEvery: number
}

type Tally = Record<Word['what'] | 'kills', number>

/** Lets many fight over few slots while service and database are killed, and counts what became of the promises. */
export async function torture(options: TortureOptions, log: (line: string) => void): Promise<Verdict> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-torture-'))
  const sink = await openMailSink()
  let victim: Victim | null = null
  try {
    log('Starting a service of its own in a temporary folder.')
    victim = await startVictim({ dataDir, smtpUrl: sink.url, processes: options.processes, log })
    await makePractice(victim.origin)
    const { promises, tally } = await fight(victim, options, log)
    await untilReady(victim.origin)
    log(`${describe(tally)}. Waiting for the last mails.`)
    const verdict = await verdictOf(victim.origin, promises, sink)
    log(`${sink.arrivals.length} mails arrived.`)
    return { ...verdict, crashes: victim.crashes() }
  } finally {
    await victim?.stop()
    sink.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fight(victim: Victim, options: TortureOptions, log: (line: string) => void) {
  const promises: Promises = { booked: new Set(), cancelled: new Set() }
  const tally: Tally = { booked: 0, cancelled: 0, held: 0, refused: 0, 'asked again': 0, kills: 0 }
  const until = Date.now() + options.seconds * 1000
  const clients = Array.from({ length: options.clients }, (_, index) =>
    startClient(victim.origin, `c${index + 1}`, until),
  )
  for (const client of clients)
    client.on('message', ({ what, email }: Word) => {
      tally[what]++
      if (what === 'booked' || what === 'cancelled') promises[what].add(email!)
    })
  const killer = setInterval(() => {
    if (options.killEvery === 0 || Date.now() > until) return
    tally.kills++
    victim.kill((['service', 'database', 'both'] as const)[tally.kills % 3]!)
  }, Math.max(1, options.killEvery) * 1000)
  const reporter = setInterval(() => log(`  ${describe(tally)}`), 5_000)
  const endings = clients.map(client => once(client, 'exit'))
  await Promise.all(endings).finally(() => {
    clearInterval(killer)
    clearInterval(reporter)
  })
  return { promises, tally }
}

const clientFile = new URL('./client.ts', import.meta.url).pathname

const startClient = (origin: string, name: string, until: number): ChildProcess =>
  fork(clientFile, [origin, name, String(until)])

const describe = (tally: Tally) =>
  `${tally.held} holds, ${tally.booked} bookings, ${tally.cancelled} cancelled, ${tally.refused} refused, ${tally['asked again']} asked again, ${tally.kills} kills`

/** Mails of a worker that was killed are handed on after a while, and tried again after a pause that grows. */
const mailPatienceMs = 180_000

async function verdictOf(origin: string, promises: Promises, sink: MailSink) {
  for (const deadline = Date.now() + mailPatienceMs; ; ) {
    const verdict = judge(await readAppointments(origin), promises, sink.arrivals)
    if (verdict.missingMails === 0 || Date.now() > deadline) return verdict
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
}
