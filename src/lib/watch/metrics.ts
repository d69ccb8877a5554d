import { RequestMetrics } from './request-metrics.ts'

/** The metrics of this process; with several processes, one answer covers all of them. */
export class Metrics {
  requests = new RequestMetrics()
  own: () => Promise<string> = async () => ''
  all: () => Promise<string> = () => this.own()
}

export type MetricsOf = { process: string; text: string }

/** Merges the Prometheus texts of several processes; each sample is labelled with its process. */
export function mergeMetrics(texts: MetricsOf[]): string {
  const families = new Map<string, { comments: string[]; samples: string[] }>()
  for (const { process, text } of texts) {
    let family = { comments: [] as string[], samples: [] as string[] }
    for (const line of text.split('\n')) {
      const [, name] = line.match(/^# (?:HELP|TYPE) (\S+)/) ?? []
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
