import { useState } from 'preact/hooks'
import type { Schemas } from '../../../records.ts'
import type { WishedTime } from '../WishSearch.tsx'
import { texts } from './words.ts'

export type PlannedDate = Schemas['PlannedDate']
export type SeriesRecord = Schemas['Series']

/** What staff decided about a date; the number of a time offered instead, or one that was searched for. */
type Choice = 'anyway' | 'removed' | number | WishedTime

export const isFound = (choice: Choice | null): choice is WishedTime =>
  typeof choice === 'object' && choice !== null

/** Choices survive a new preview for the dates that are still in it. */
export function useDateChoices(dates: PlannedDate[]) {
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const choiceOf = (date: PlannedDate): Choice | null => choices[date.start] ?? null
  const choose = (date: PlannedDate, choice: Choice | null) => {
    const { [date.start]: _, ...others } = choices
    setChoices(choice === null ? others : { ...others, [date.start]: choice })
  }
  const unresolved = dates.filter(date => !date.isFree && choiceOf(date) === null)
  const chosen = dates.map(date => chosenDate(date, choiceOf(date)))
  return {
    choiceOf,
    choose,
    /** Leaves out every date that isn't free and has no choice yet. */
    removeUnresolved: () =>
      setChoices({
        ...choices,
        ...Object.fromEntries(unresolved.map(date => [date.start, 'removed' as const])),
      }),
    /** In the order of the dates; null for those that are removed or undecided. */
    chosen,
    count: chosen.filter(Boolean).length,
    unresolved: unresolved.length,
  }
}

export type DateChoices = ReturnType<typeof useDateChoices>

function chosenDate(date: PlannedDate, choice: Choice | null) {
  if (choice === 'removed' || (!date.isFree && choice === null)) return null
  if (isFound(choice)) {
    const { start, end, resourceUuid } = choice
    const [from, to] = [new Date(start).toISOString(), new Date(end).toISOString()]
    return { start: from, end: to, resourceUuid, ignoreConflicts: false }
  }
  const { start, end, resourceUuid } = typeof choice === 'number' ? date.nearest[choice]! : date
  return { start, end, resourceUuid, ignoreConflicts: choice === 'anyway' }
}

export const seriesWarnings = ({ unresolved }: DateChoices): string[] =>
  unresolved > 0 ? [texts.unresolved(unresolved)] : []
