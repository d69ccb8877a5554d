import { useState } from 'preact/hooks'
import { localAt } from '#shared/zones.ts'
import { api } from '../../../api.ts'
import { useLoad } from '../../../load.ts'
import type { Span } from '../free-times.ts'
import { type PlannedDate, useDateChoices } from './date-choices.ts'

export type Repeat = {
  unit: 'day' | 'week' | 'month'
  every: number
  /** Empty: that of the first date. */
  weekdays: number[]
  ends: 'count' | 'until'
  count: number
  until: string
}

type Question = {
  providerUuid: string
  productUuid: string | null
  /** Empty for the first that is free. */
  resourceUuid: string
  customerUuid: string | null
  /** The first date. */
  span: Span | null
  zone: string
}

/** The dates of a series while it is planned: from the rule, and those added by hand. */
export function useSeries({ providerUuid, productUuid, resourceUuid, customerUuid, span, zone }: Question) {
  const [repeat, setRepeat] = useState<Repeat | null>(null)
  const [added, setAdded] = useState<string[]>([])
  const rule = repeat && span && ruleOf(repeat, span, zone)
  const asked =
    rule && productUuid ? { productUuid, resourceUuid: resourceUuid || null, customerUuid, rule } : null
  const key = asked && JSON.stringify([providerUuid, asked, added])
  const plan = useLoad(key && `series-${key}`, async signal => {
    const rules = [asked!.rule, ...added.map(day => onceOn(day, asked!.rule))]
    const answers = await Promise.all(
      rules.map(one =>
        api.post(`/providers/${providerUuid}/series/preview`, { ...asked!, rule: one }, { signal }),
      ),
    )
    return inOrder(answers.flatMap(one => one.dates))
  })
  const dates = plan.data ?? []
  return {
    repeat,
    setRepeat,
    plan,
    dates,
    choices: useDateChoices(dates),
    addDay: (day: string) => setAdded([...added.filter(one => one !== day), day]),
  }
}

const minuteMs = 60_000

function ruleOf({ unit, every, weekdays, ends, count, until }: Repeat, { start, end }: Span, zone: string) {
  if (ends === 'until' && !until) return null
  return {
    first: localAt(start, zone),
    unit,
    every,
    duration: Math.round((end - start) / minuteMs),
    weekdays: unit === 'week' && weekdays.length > 0 ? weekdays.map(day => `${day}` as '1') : null,
    count: ends === 'count' ? count : null,
    until: ends === 'until' ? until : null,
  }
}

/** The same time of day on another day. */
const onceOn = (day: string, rule: NonNullable<ReturnType<typeof ruleOf>>) => ({
  ...rule,
  first: `${day}T${rule.first.slice(11)}`,
  unit: 'day' as const,
  weekdays: null,
  count: 1,
  until: null,
})

function inOrder(dates: PlannedDate[]): PlannedDate[] {
  const once = new Map(dates.map(one => [one.start, one]))
  return [...once.values()].sort((one, other) => one.start.localeCompare(other.start))
}
