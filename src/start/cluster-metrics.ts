import cluster, { type Worker } from 'node:cluster'
import { type Metrics, type MetricsOf, mergeMetrics } from '../lib/watch/metrics.ts'

// With several processes on one port, any of them may be scraped. That process asks the primary, which
// collects from all.

type Message =
  | { wantAllMetrics: number }
  | { wantMetrics: number }
  | { metrics: number; text: string }
  | { allMetrics: number; texts: MetricsOf[] }

const timeoutMs = 1_000

/** Runs in the primary, once for each worker. */
export function passOnMetrics(worker: Worker) {
  worker.on('message', async (message: Message) => {
    if (typeof message !== 'object' || !('wantAllMetrics' in message)) return
    const workers = Object.values(cluster.workers ?? {}).filter(one => one?.isConnected()) as Worker[]
    const answers = await Promise.all(workers.map(askOne))
    const texts = answers.filter(answer => answer !== null)
    if (worker.isConnected()) worker.send({ allMetrics: message.wantAllMetrics, texts } satisfies Message)
  })
}

let questions = 0

function askOne(worker: Worker): Promise<MetricsOf | null> {
  const wantMetrics = ++questions
  return new Promise(resolve => {
    const done = (answer: MetricsOf | null) => {
      clearTimeout(timer)
      worker.off('message', listen)
      resolve(answer)
    }
    const listen = (message: Message) => {
      if (typeof message === 'object' && 'metrics' in message && message.metrics === wantMetrics)
        done({ process: String(worker.id), text: message.text })
    }
    // A worker that has just started may not answer yet.
    const timer = setTimeout(() => done(null), timeoutMs)
    worker.on('message', listen)
    worker.send({ wantMetrics } satisfies Message)
  })
}

/** Runs in each worker. */
export function shareMetrics(metrics: Metrics) {
  const waiting = new Map<number, (texts: MetricsOf[]) => void>()
  const send = (message: Message) => process.send?.(message)
  process.on('message', async (message: Message) => {
    if (typeof message !== 'object') return
    if ('wantMetrics' in message) send({ metrics: message.wantMetrics, text: await metrics.own() })
    if ('allMetrics' in message) waiting.get(message.allMetrics)?.(message.texts)
  })
  metrics.all = async () => {
    const wantAllMetrics = ++questions
    const texts = await new Promise<MetricsOf[]>(resolve => {
      waiting.set(wantAllMetrics, resolve)
      setTimeout(() => resolve([]), 2 * timeoutMs).unref()
      send({ wantAllMetrics })
    })
    waiting.delete(wantAllMetrics)
    return texts.length > 0 ? mergeMetrics(texts) : metrics.own()
  }
}
