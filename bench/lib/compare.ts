import { progress } from './progress.ts'

export type Spread = { median: number; least: number; most: number }
export type Comparison = { ours: Spread; limit: Spread; ratio: Spread }

type Measure = () => Promise<number>

/**
 * Measures both in turns, A B A B A B, so that other load on the machine affects both alike; each ratio
 * compares two neighbours. A first round warms up and does not count.
 */
export async function compare(ours: Measure, limit: Measure, rounds = 5): Promise<Comparison> {
  await ours()
  await limit()
  const pairs: { ours: number; limit: number }[] = []
  for (let round = 1; round <= rounds; round++) {
    const pair = { ours: await ours(), limit: await limit() }
    pairs.push(pair)
    progress(
      `  round ${round} of ${rounds}: ${short(pair.ours)} and ${short(pair.limit)}: ${(pair.ours / pair.limit).toFixed(2)}`,
    )
  }
  return compared(pairs)
}

export const compared = (pairs: { ours: number; limit: number }[]): Comparison => ({
  ours: spread(pairs.map(pair => pair.ours)),
  limit: spread(pairs.map(pair => pair.limit)),
  ratio: spread(pairs.map(pair => pair.ours / pair.limit)),
})

export function spread(figures: number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
  return { median, least: sorted[0]!, most: sorted.at(-1)! }
}

export const short = (figure: number) =>
  figure >= 100 ? Math.round(figure).toLocaleString('en') : figure.toFixed(figure >= 10 ? 1 : 2)

export const withSpread = ({ median, least, most }: Spread, digits = 2) =>
  `${median.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`
