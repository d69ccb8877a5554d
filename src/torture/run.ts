import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../lib/start-error.ts'
import { fight, type TortureOptions } from './fight.ts'
import { untilReady } from './instance.ts'
import { type MailSink, openMailSink } from './mail-sink.ts'
import { makePractice } from './practice.ts'
import { judgeEvents, type Reading, readLog, startReader } from './reader.ts'
import { startUpgrade } from './upgrade.ts'
import { judge, type Promises, readAppointments, type Verdict } from './verdict.ts'
import { startVictim, type Victim } from './victim.ts'

/**
 * Lets many fight over few slots while service and database are killed, or another version takes over, and counts what became of the promises. Whatever
 * happens, and when it is asked to stop, it takes everything away that it has made.
 */
export async function torture(
  options: TortureOptions,
  log: (line: string) => void,
  stopped: Promise<void>,
): Promise<Verdict> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-torture-'))
  const sink = await openMailSink()
  const interruption = stopped.then((): never => {
    throw new StartError('Stopped before the end: nothing is proved.')
  })
  // Asked to stop while the service starts: noticed when it has.
  interruption.catch(() => {})
  let victim: Victim | null = null
  let reader: Reading | null = null
  try {
    log('Starting a service of its own in a temporary folder.')
    const room = { dataDir, smtpUrl: sink.url, log }
    victim = options.upgradeFrom
      ? await startUpgrade({ ...room, from: options.upgradeFrom })
      : await startVictim({ ...room, processes: options.processes })
    await makePractice(victim.origin)
    reader = startReader(victim.origin)
    const promises = await fight(victim, options, log, interruption)
    await untilReady(victim.origin)
    const seen = await Promise.race([reader.end(), interruption])
    const events = judgeEvents(seen, await readLog(victim.origin), promises.booked)
    log(`${seen.length} events were read.`)
    log('Waiting for the last mails.')
    const verdict = await Promise.race([verdictOf(victim.origin, promises, sink), interruption])
    log(`${sink.arrivals.length} mails arrived.`)
    for (const complaint of verdict.complaints) log(complaint)
    const { failures, cutOff } = promises
    return { ...verdict, ...events, failures, cutOff, crashes: victim.crashes() }
  } finally {
    reader?.stop()
    await victim?.stop()
    sink.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Mails of a worker that was killed are handed on after a while, and tried again after a pause that grows. */
const mailPatienceMs = 180_000

async function verdictOf(origin: string, promises: Promises, sink: MailSink) {
  for (const deadline = Date.now() + mailPatienceMs; ; ) {
    const verdict = judge(await readAppointments(origin), promises, sink.arrivals)
    if (verdict.missingMails === 0 || Date.now() > deadline) return verdict
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
}
