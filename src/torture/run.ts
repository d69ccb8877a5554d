import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../lib/start-error.ts'
import { startAgents } from './agents.ts'
import { untilReady } from './instance.ts'
import { type MailSink, openMailSink } from './mail-sink.ts'
import { type Reading, startReader } from './reader.ts'
import { runClients, type TortureOptions } from './run-clients.ts'
import { makePractice } from './seed.ts'
import { startSeriesBookers } from './series.ts'
import { type ServiceUnderTest, startServiceUnderTest } from './service-under-test.ts'
import { startUpgrade } from './upgrade.ts'
import { judge, judgeDatabase, type Promises, readAppointments, type Verdict } from './verdict.ts'
import { startWaiters } from './waiters.ts'

/**
 * Lets many clients compete for few slots while service and database are killed, or another version takes
 * over, and checks every promise. Always removes everything it created, also when interrupted.
 */
export async function torture(
  options: TortureOptions,
  log: (line: string) => void,
  stopped: Promise<void>,
): Promise<Verdict> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-torture-'))
  const sink = await openMailSink()
  const interruption = stopped.then((): never => {
    throw new StartError('Stopped early, so nothing is proved.')
  })
  // An interruption during startup is handled once the service has started.
  interruption.catch(() => {})
  let service: ServiceUnderTest | null = null
  let reader: Reading | null = null
  try {
    log('Starting a separate service in a temporary folder.')
    const room = { dataDir, smtpUrl: sink.url, log }
    service = options.upgradeFrom
      ? await startUpgrade({ ...room, from: options.upgradeFrom })
      : await startServiceUnderTest({ ...room, processes: options.processes })
    await makePractice(service.origin)
    reader = startReader(service.origin)
    // The previous version has neither a waiting list nor series nor agents.
    const { origin } = service
    const crowds = options.upgradeFrom
      ? []
      : [startWaiters(origin, sink), startSeriesBookers(origin), startAgents(origin, sink)]
    const promises = await runClients(service, options, log, interruption)
    await untilReady(service.origin)
    for (const { end, booked, cancelled } of crowds) {
      await Promise.race([end(), interruption])
      for (const email of booked) promises.booked.add(email)
      for (const email of cancelled) promises.cancelled.add(email)
    }
    const { read, ...events } = await Promise.race([reader.judge(promises.booked), interruption])
    log(`Read ${read} events.`)
    log('Waiting for the last emails.')
    const verdict = await Promise.race([verdictOf(service.origin, promises, sink), interruption])
    log(`${sink.arrivals.length} emails arrived.`)
    const judged = []
    for (const { judge } of crowds) judged.push(await judge(sink.arrivals))
    for (const { summary } of judged) log(summary)
    for (const email of verdict.withoutMail) log(`${email} got no email`)
    const others = judged.flatMap(one => one.complaints)
    const { counted, broken } = await judgeDatabase(dataDir)
    log(`The people of ${counted} large groups were counted in advance.`)
    for (const complaint of [...verdict.complaints, ...others, ...broken]) log(complaint)
    const { failures, cutOff } = promises
    return {
      ...verdict,
      ...events,
      broken: broken.length,
      lost: verdict.lost + others.length,
      oversold: judged.reduce((sum, one) => sum + (one.oversold ?? 0), verdict.oversold),
      doubleMails: judged.reduce((sum, one) => sum + one.doubleMails, verdict.doubleMails),
      failures,
      cutOff,
      crashes: service.crashes(),
    }
  } finally {
    await reader?.stop()
    await service?.stop()
    sink.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Emails of a killed worker are released after a while, and retried with growing delays. */
const mailPatienceMs = 180_000

async function verdictOf(origin: string, promises: Promises, sink: MailSink) {
  for (const deadline = Date.now() + mailPatienceMs; ; ) {
    const verdict = judge(await readAppointments(origin), promises, sink.arrivals)
    if (verdict.withoutMail.length === 0 || Date.now() > deadline) return verdict
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
}
