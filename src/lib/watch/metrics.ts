import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { version } from '../root.ts'

/** Counts kept outside a service, by code that has no access to one. All services of a process share them. */
export const retries = new Counter({
  name: 'holdfast_transaction_retries_total',
  help: 'Transactions that were retried',
  labelNames: ['reason'],
  registers: [],
})

export const lockWaits = new Histogram({
  name: 'holdfast_lock_wait_seconds',
  help: 'Time spent waiting for the lock of a Resource',
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 15],
  registers: [],
})

/** The metrics of this process; with several processes, one answer covers all of them. */
export class Metrics {
  readonly registry = new Registry()
  readonly events = this.#counter('holdfast_events_total', 'Events, by kind', ['kind'])
  readonly holds = this.#counter('holdfast_holds_total', 'Holds: new, renewed and changed', ['kind'])
  readonly refusals = this.#counter('holdfast_refusals_total', 'Refused requests, by reason', ['reason'])
  readonly mails = this.#counter('holdfast_mails_total', 'Attempts to send an email, by kind and result', [
    'kind',
    'outcome',
  ])
  readonly deliveries = this.#counter(
    'holdfast_webhook_deliveries_total',
    'Attempts to deliver an event, by result',
    ['outcome'],
  )
  readonly lists = this.#counter('holdfast_lists_total', 'Slot lists: served from the cache or rendered', [
    'how',
  ])
  readonly groupSize = new Histogram({
    name: 'holdfast_group_size',
    help: 'Requests to reserve or complete per transaction',
    labelNames: ['kind'],
    buckets: [1, 2, 4, 8, 16, 32],
    registers: [this.registry],
  })
  readonly #requests = this.#counter('holdfast_http_requests_total', 'Requests by route and status', [
    'method',
    'route',
    'status',
  ])
  readonly #durations = new Histogram({
    name: 'holdfast_http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  })
  /** Total number of events; reading a counter of the library is asynchronous. */
  recordedEvents = 0
  own: () => Promise<string> = () => this.registry.metrics()
  all: () => Promise<string> = () => this.own()

  constructor() {
    this.registry.registerMetric(retries)
    this.registry.registerMetric(lockWaits)
    const info = this.gauge('holdfast_build_info', 'Always 1; the labels show the running version', [
      'version',
      'node',
    ])
    info.set({ version, node: process.version }, 1)
  }

  /** Memory, event loop and garbage collection; only where metrics are served. */
  addProcess() {
    collectDefaultMetrics({ register: this.registry })
  }

  recordEvent(kind: string) {
    this.events.inc({ kind })
    this.recordedEvents++
  }

  recordRequest(method: string, route: string, status: number, seconds: number) {
    this.#requests.inc({ method, route, status })
    this.#durations.observe({ method, route }, seconds)
  }

  gauge(name: string, help: string, labelNames: string[] = []) {
    return new Gauge({ name, help, labelNames, registers: [this.registry] })
  }

  #counter(name: string, help: string, labelNames: string[]) {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }
}

export type MetricsOf = { process: string; text: string }

/** Merges the Prometheus texts of several processes; each sample is labelled with its process. */
export function mergeMetrics(texts: MetricsOf[]): string {
  const families = new Map<string, { comments: string[]; samples: string[] }>()
  for (const { process, text } of texts) {
    let family = { comments: [] as string[], samples: [] as string[] }
    for (const line of text.split('\n')) {
      const [_match, name] = line.match(/^# (?:HELP|TYPE) (\S+)/) ?? []
      if (name) {
        family = families.get(name) ?? { comments: [], samples: [] }
        families.set(name, family)
        if (!family.comments.includes(line)) family.comments.push(line)
      } else if (line && !line.startsWith('#')) family.samples.push(labelled(line, process))
    }
  }
  const lines = [...families.values()].flatMap(({ comments, samples }) => [...comments, ...samples, ''])
  return lines.join('\n')
}

const labelled = (sample: string, process: string) =>
  /^\w+\{/.test(sample)
    ? sample.replace('{', `{process="${process}",`)
    : sample.replace(' ', `{process="${process}"} `)
