import { family, Histogram } from '../counts.ts'

const secondsUpTo = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

type RouteCounts = { labels: string; byStatus: Map<number, number>; seconds: Histogram }

/** Number and duration of requests by route. */
export class RequestMetrics {
  /** Nested maps: a combined key would have to be built for every request. */
  routes = new Map<string, Map<string, RouteCounts>>()

  note(method: string, route: string, status: number, seconds: number) {
    const counts = this.of(method, route)
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
    counts.seconds.observe(seconds)
  }

  of(method: string, route: string): RouteCounts {
    const known = this.routes.get(route)?.get(method)
    if (known) return known
    const labels = `method="${method}",route="${route}"`
    const counts = { labels, byStatus: new Map(), seconds: new Histogram(secondsUpTo) }
    this.routes.set(route, (this.routes.get(route) ?? new Map()).set(method, counts))
    return counts
  }

  all(): RouteCounts[] {
    return [...this.routes.values()].flatMap(byMethod => [...byMethod.values()])
  }

  /** In Prometheus' text format. */
  text(): string {
    const all = this.all()
    const requests = 'holdfast_http_requests_total'
    const durations = 'holdfast_http_request_duration_seconds'
    return [
      family(
        requests,
        'counter',
        'Requests by route and status',
        all.flatMap(one => statusLines(requests, one)),
      ),
      family(
        durations,
        'histogram',
        'Time to answer, by route',
        all.flatMap(({ labels, seconds }) => seconds.lines(durations, labels)),
      ),
    ].join('\n')
  }
}

const statusLines = (name: string, { labels, byStatus }: RouteCounts) =>
  [...byStatus].map(([status, count]) => `${name}{${labels},status="${status}"} ${count}`)
