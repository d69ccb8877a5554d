import { addDays, addMonths, type Day, firstDay, isDay, monthOf, startOfWeek } from '#shared/dates.ts'

// The periods that reports offer. `to` is the day after the last one.

export const presets = ['weeks', 'month', 'lastMonth', 'months', 'year', 'custom'] as const
export type Preset = (typeof presets)[number]
export type Range = { from: Day; to: Day }

export function rangeOf(
  preset: Preset,
  today: Day,
  custom: { from: string | null; to: string | null },
): Range {
  const month = monthOf(today)
  const next = firstDay(addMonths(month, 1))
  if (preset === 'month') return { from: firstDay(month), to: next }
  if (preset === 'lastMonth') return { from: firstDay(addMonths(month, -1)), to: firstDay(month) }
  if (preset === 'months') return { from: firstDay(addMonths(month, -11)), to: next }
  if (preset === 'year')
    return { from: `${today.slice(0, 4)}-01-01`, to: `${Number(today.slice(0, 4)) + 1}-01-01` }
  const monday = startOfWeek(today, 1)
  const weeks = { from: addDays(monday, -77), to: addDays(monday, 7) }
  if (preset === 'weeks' || !isDay(custom.from) || !isDay(custom.to)) return weeks
  // The field shows the last day itself.
  return { from: custom.from, to: addDays(custom.to, 1) }
}

/** As long, and directly before: whole months if the range consists of them. */
export function rangeBefore({ from, to }: Range): Range {
  if (from.endsWith('-01') && to.endsWith('-01')) {
    const months = monthsBetween(from, to)
    return { from: firstDay(addMonths(monthOf(from), -months)), to: from }
  }
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
  return { from: addDays(from, -days), to: from }
}

const monthsBetween = (from: Day, to: Day) =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7))
