import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../lib/start-error.ts'
import { judgeAgents, startAgents } from './agents.ts'
import { untilReady } from './instance.ts'
import { type MailSink, openMailSink } from './mail-sink.ts'
import { type Reading, startReader } from './reader.ts'
import { runClients, type TortureOptions } from './run-clients.ts'
import { makePractice } from './seed.ts'
import { judgeSeries, startSeriesBookers } from './series.ts'
import { type ServiceUnderTest, startServiceUnderTest } from './service-under-test.ts'
import { startUpgrade } from './upgrade.ts'
import { judge, judgeDatabase, type Promises, readAppointments, type Verdict } from './verdict.ts'
import { judgeWaiters, startWaiters } from './waiters.ts'

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
    const waiters = options.upgradeFrom ? null : startWaiters(service.origin, sink)
    const series = options.upgradeFrom ? null : startSeriesBookers(service.origin)
    const agents = options.upgradeFrom ? null : startAgents(service.origin, sink)
    const promises = await runClients(service, options, log, interruption)
    await untilReady(service.origin)
    if (waiters) await Promise.race([waiters.end(), interruption])
    if (series) await Promise.race([series.end(), interruption])
    if (agents) await Promise.race([agents.end(), interruption])
    for (const email of agents?.booked ?? []) promises.booked.add(email)
    for (const email of agents?.cancelled ?? []) promises.cancelled.add(email)
    for (const email of waiters?.taken ?? []) promises.booked.add(email)
    const { read, ...events } = await Promise.race([reader.judge(promises.booked), interruption])
    log(`Read ${read} events.`)
    log('Waiting for the last emails.')
    const verdict = await Promise.race([verdictOf(service.origin, promises, sink), interruption])
    log(`${sink.arrivals.length} emails arrived.`)
    const waited = waiters ? await judgeWaiters(service.origin, waiters, sink.arrivals) : null
    if (waiters && waited)
      log(`${waiters.entries.size} people waited, ${waited.offers} offers, ${waiters.taken.size} taken.`)
    const repeated = series ? await judgeSeries(service.origin, series, sink.arrivals) : null
    if (series) log(`${series.places.size} series tried, ${series.booked.size} booked.`)
    const proposed = agents ? await judgeAgents(service.origin, agents, sink.arrivals) : null
    if (agents)
      log(`${agents.booked.size} proposals of agents confirmed, ${agents.unconfirmed.size} not confirmed.`)
    for (const email of verdict.withoutMail) log(`${email} got no email`)
    const others = [
      ...(waited?.complaints ?? []),
      ...(repeated?.complaints ?? []),
      ...(proposed?.complaints ?? []),
    ]
    const { counted, broken } = await judgeDatabase(dataDir)
    log(`The people of ${counted} large groups were counted in advance.`)
    for (const complaint of [...verdict.complaints, ...others, ...broken]) log(complaint)
    const { failures, cutOff } = promises
    return {
      ...verdict,
      ...events,
      broken: broken.length,
      lost: verdict.lost + others.length,
      oversold: verdict.oversold + (waited?.oversold ?? 0),
      doubleMails: [waited, repeated, proposed].reduce(
        (sum, one) => sum + (one?.doubleMails ?? 0),
        verdict.doubleMails,
      ),
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
