// Plain numbers for monitoring. A metrics library hashes a set of labels for each observation, which costs
// more than routing a request.

/** Counts by name. A name with several parts separates them with spaces. */
export class Counts {
  byName = new Map<string, number>()

  add(name: string, count = 1) {
    this.byName.set(name, (this.byName.get(name) ?? 0) + count)
  }
}

/** Counts by size. */
export class Histogram {
  readonly bounds: readonly number[]
  /**
   * Number of values up to each bound and above the previous one; the last entry counts values beyond all
   * bounds.
   */
  readonly buckets: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.buckets = [...bounds, 0].fill(0)
  }

  observe(size: number) {
    const bound = this.bounds.findIndex(one => size <= one)
    this.buckets[bound < 0 ? this.bounds.length : bound]!++
    this.sum += size
  }

  /** The samples of a histogram in Prometheus' text format. */
  lines(name: string, labels = ''): string[] {
    let upTo = 0
    const comma = labels && ','
    const samples = this.buckets.map((count, index) => {
      upTo += count
      return `${name}_bucket{le="${this.bounds[index] ?? '+Inf'}"${comma}${labels}} ${upTo}`
    })
    const braces = labels && `{${labels}}`
    return [...samples, `${name}_sum${braces} ${this.sum}`, `${name}_count${braces} ${upTo}`]
  }
}

/** A metric family in Prometheus' text format. */
export const family = (
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  lines: string[],
) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')

/** The samples of a counter, with one label for each part of a name. */
export const countLines = (name: string, labels: string[], counts: Counts) =>
  [...counts.byName].map(([parts, count]) => {
    const values = labels.length === 1 ? [parts] : parts.split(' ')
    return `${name}{${labels.map((label, index) => `${label}="${values[index]}"`).join(',')}} ${count}`
  })
