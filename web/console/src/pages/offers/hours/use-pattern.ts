import { useState } from 'preact/hooks'
import { addDays, startOfWeek } from '#shared/dates.ts'
import { bandsIn, copiedInto, isAlternating, type Period, periodsOf, rulesWith } from './patterns.ts'
import type { Band, Rule } from './week.ts'

/** Which part of the rules the week shows: one period, and one of two weeks if they alternate. */
export function usePattern(rules: Rule[], today: string, onChange: (rules: Rule[]) => void) {
  const [extra, setExtra] = useState<string | null>(null)
  const [from, setFrom] = useState<string | null>(null)
  const [wantsTwo, setTwo] = useState(false)
  const [week, setWeek] = useState(0)
  const periods = periodsOf(rules, today, extra)
  const period = periods.find(one => one.from === from) ?? periods[0]!
  const hasTwo = wantsTwo || isAlternating(rules, period, today)
  const monday = startOfWeek(period.from ?? today, 1)
  const mondays = [monday, addDays(monday, 7)]
  const bandsOfWeek = (index: number) => bandsIn(rules, period, today, mondays[index]!)
  const bands = bandsOfWeek(week)
  const put = (next: Band[]) =>
    onChange(
      rulesWith(
        rules,
        period,
        today,
        hasTwo
          ? mondays.map((monday, index) => ({ monday, bands: index === week ? next : bandsOfWeek(index) }))
          : [{ monday: null, bands: next }],
      ),
    )
  return {
    bands,
    put,
    period,
    periods,
    showPeriod: (next: Period) => setFrom(next.from),
    /** The hours of that day go on from it, until they are changed. */
    startPeriod: (day: string) => {
      setExtra(day)
      setFrom(day)
    },
    hasTwo,
    /** One week again: the one that is shown. */
    setTwo: (isOn: boolean) => {
      setTwo(isOn)
      setWeek(0)
      if (!isOn && hasTwo) onChange(rulesWith(rules, period, today, [{ monday: null, bands }]))
    },
    week,
    setWeek,
    mondays,
    /** Into the period that is shown. */
    copy: (theirs: Rule[]) => onChange(copiedInto(rules, period, theirs)),
  }
}

export type Pattern = ReturnType<typeof usePattern>
