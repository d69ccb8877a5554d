import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { type Comparison, short, withSpread } from './compare.ts'

/** One line of the table. `reached` is null if there is no target: the figure is only reported. */
export type Row = {
  bench: string
  ours: string
  limit: string
  ratio: string
  reach: string
  reached: boolean | null
}

export const atLeast = (bench: string, unit: string, result: Comparison, least: number): Row => ({
  ...compared(bench, unit, result),
  reach: `at least ${least.toFixed(2)}`,
  reached: result.ratio.median >= least,
})

export const atMost = (bench: string, unit: string, result: Comparison, most: number): Row => ({
  ...compared(bench, unit, result),
  reach: `at most ${most.toFixed(2)}`,
  reached: result.ratio.median <= most,
})

const compared = (bench: string, unit: string, { ours, limit, ratio }: Comparison) => ({
  bench,
  ours: `${short(ours.median)} ${unit}`,
  limit: `${short(limit.median)} ${unit}`,
  ratio: withSpread(ratio),
})

/** Compared, but without a target. */
export const alsoCompared = (bench: string, unit: string, result: Comparison): Row => ({
  ...compared(bench, unit, result),
  reach: 'reported',
  reached: null,
})

export const reported = (bench: string, ours: string, reach = 'reported'): Row => ({
  bench,
  ours,
  limit: '',
  ratio: '',
  reach,
  reached: null,
})

export function table(rows: Row[]): string {
  const lines = rows.map(({ bench, ours, limit, ratio, reach, reached }) =>
    [bench, ours, limit, ratio, reach, reached === null ? '' : reached ? 'yes' : '**no**'].join(' | '),
  )
  return [
    '| Bench | Holdfast | Limit | Ratio: median (spread) | Reach | Reached |',
    '|---|---|---|---|---|---|',
    ...lines.map(line => `| ${line} |`),
  ].join('\n')
}

const readme = new URL('../README.md', import.meta.url)

/** Puts the rows of each bench between its markers; benches that did not run keep theirs. */
export function keep(name: string, rows: Row[], command: string) {
  const text = readFileSync(readme, 'utf8')
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const block = `${begin}\n${stamp(command)}\n\n${table(rows)}\n${end}`
  const pattern = new RegExp(`${begin}[\\s\\S]*?${end}`)
  const marked = pattern.test(text)
    ? text.replace(pattern, () => block)
    : `${text.trimEnd()}\n\n### ${name}\n\n${block}\n`
  writeFileSync(readme, marked)
}

function stamp(command: string) {
  const cpu = os.cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(os.totalmem() / 2 ** 30)
  const load = os.loadavg()[0]!.toFixed(1)
  return `${new Date().toISOString().slice(0, 16)}Z, ${os.cpus().length} cores of ${cpu}, ${memory} GB, Node ${process.version}, load ${load}: \`${command}\``
}
