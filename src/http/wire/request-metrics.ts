// Requests and their durations by route, counted with plain numbers: a metrics library builds and hashes a set of labels
// for each request, which costs more than routing it.

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

type RouteCounts = {
  labels: string
  byStatus: Map<number, number>
  /** How many took up to each bound and longer than the one before; the last are those beyond all bounds. */
  buckets: number[]
  seconds: number
}

export class RequestMetrics {
  routes = new Map<string, RouteCounts>()

  note(method: string, route: string, status: number, seconds: number) {
    const counts = this.of(method, route)
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
    const bound = bounds.findIndex(one => seconds <= one)
    counts.buckets[bound < 0 ? bounds.length : bound]!++
    counts.seconds += seconds
  }

  of(method: string, route: string): RouteCounts {
    const key = `${method} ${route}`
    const known = this.routes.get(key)
    if (known) return known
    const labels = `method="${method}",route="${route}"`
    const counts = { labels, byStatus: new Map(), buckets: [...bounds, 0].fill(0), seconds: 0 }
    this.routes.set(key, counts)
    return counts
  }

  /** In Prometheus' text format. */
  text(): string {
    const all = [...this.routes.values()]
    return [
      '# HELP holdfast_http_requests_total Requests by route and status',
      '# TYPE holdfast_http_requests_total counter',
      ...all.flatMap(requestLines),
      '',
      '# HELP holdfast_http_request_duration_seconds Time to answer, by route',
      '# TYPE holdfast_http_request_duration_seconds histogram',
      ...all.flatMap(durationLines),
      '',
    ].join('\n')
  }
}

const requestLines = ({ labels, byStatus }: RouteCounts) =>
  [...byStatus].map(
    ([status, count]) => `holdfast_http_requests_total{${labels},status="${status}"} ${count}`,
  )

function durationLines({ labels, buckets, seconds }: RouteCounts): string[] {
  const name = 'holdfast_http_request_duration_seconds'
  let upTo = 0
  const lines = buckets.map((count, index) => {
    upTo += count
    return `${name}_bucket{le="${bounds[index] ?? '+Inf'}",${labels}} ${upTo}`
  })
  return [...lines, `${name}_sum{${labels}} ${seconds}`, `${name}_count{${labels}} ${upTo}`]
}
