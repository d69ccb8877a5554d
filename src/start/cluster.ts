import cluster, { type Worker } from 'node:cluster'
import type { Config } from '../config.ts'
import type { Connection } from '../db/base/pool.ts'
import { StartError } from '../lib/start-error.ts'
import { passOnMetrics, shareMetrics } from './cluster-metrics.ts'
import { joinService } from './open-service.ts'
import { answer, prepare, type Running, type Serving } from './serve.ts'

// Several processes on one port. The primary owns the database (starts, migrates and stops it) and supervises
// the workers, which answer requests and run jobs independently: they share only PostgreSQL.

type Handover = { connection: Connection }
type Report = 'listening to you' | { address: string } | { failed: string }

/** Slows down restarts of a process that fails at startup. */
const replaceAfterMs = 500

export async function serveCluster(
  config: Config,
  count: number,
  log: (line: string) => void,
): Promise<Serving> {
  const prepared = await prepare(config, log)
  const handover: Handover = { connection: prepared.connection }
  let stopping = false

  function begin(): Worker {
    const worker = cluster.fork()
    worker.on('message', (report: Report) => report === 'listening to you' && worker.send(handover))
    passOnMetrics(worker)
    worker.once('exit', (code, signal) => {
      if (stopping) return
      log(`A process ended unexpectedly (${signal ?? `exit code ${code}`}); starting another`)
      setTimeout(() => stopping || begin(), replaceAfterMs)
    })
    return worker
  }

  async function stop() {
    stopping = true
    await Promise.all(Object.values(cluster.workers ?? {}).map(worker => worker && end(worker)))
    await prepared.stop()
  }

  try {
    const addresses = await Promise.all(Array.from({ length: count }, () => untilReady(begin())))
    return { ...prepared, address: addresses[0]!, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function untilReady(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new StartError(reason))
    worker.once('exit', () => fail('A process ended while it was starting.'))
    worker.on('message', (report: Report) => {
      if (typeof report === 'string') return
      if ('failed' in report) fail(report.failed)
      else if ('address' in report) resolve(report.address)
    })
  })
}

/** A worker that is already exiting has closed its channel. */
function end(worker: Worker): Promise<void> {
  return new Promise(resolve => {
    if (worker.isDead()) return resolve()
    worker.once('exit', () => resolve())
    worker.on('error', () => {})
    if (worker.isConnected()) worker.send('stop')
  })
}

/** Runs in each worker: gets the database address, then answers until asked to stop. */
export async function serveInCluster(config: Config, running: Running): Promise<void> {
  // Ctrl-C reaches every process of the terminal; the primary tells the workers when to stop.
  process.on('SIGINT', () => {})
  const stopped = untilStopped()
  const handover = await Promise.race([askForHandover(), stopped])
  if (handover) await answerUntil(stopped, config, handover, running)
  process.disconnect?.()
}

async function answerUntil(
  stopped: Promise<void>,
  config: Config,
  { connection }: Handover,
  running: Running,
) {
  const service = await joinService(config, connection)
  try {
    const { address, stop } = await answer(service, connection, running)
    shareMetrics(service.metrics)
    sendReport({ address })
    await stopped
    await stop()
  } catch (error) {
    sendReport({ failed: (error as Error).message })
  }
  await service.db.close()
}

function askForHandover(): Promise<Handover> {
  return new Promise(resolve => {
    process.on('message', (message: object) => {
      if (typeof message === 'object' && 'connection' in message) resolve(message as Handover)
    })
    sendReport('listening to you')
  })
}

function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    process.on('message', message => message === 'stop' && resolve())
    process.on('SIGTERM', resolve)
  })
}

const sendReport = (report: Report) => process.send?.(report)
