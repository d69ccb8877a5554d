import { common } from '../../common-words.ts'
import type { Schemas } from '../../records.ts'
import { format, instant } from '../../time.ts'
import { texts } from './words.ts'

export type Entry = Schemas['ConsoleWaitingEntry']

type When = Pick<Entry, 'weekdays' | 'timeFrom' | 'timeTo' | 'replacesStart' | 'from' | 'to'>

/** When the person would come. */
export function wishOf(entry: When, zone: string): string {
  const days = entry.weekdays.length === 7 ? [] : entry.weekdays.map(dayName)
  const isWholeDay = entry.timeFrom === '00:00' && entry.timeTo === '24:00'
  return [
    entry.replacesStart
      ? texts.earlierThan(format.when(instant(entry.replacesStart), zone))
      : `${format.shortDay(entry.from)} – ${format.shortDay(entry.to)}`,
    days.join(', '),
    isWholeDay ? '' : `${entry.timeFrom} – ${entry.timeTo}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** 1 is Monday: 1 January 2024 was one. */
const dayName = (day: number) =>
  new Intl.DateTimeFormat(document.documentElement.lang || 'en', {
    weekday: 'short',
    timeZone: 'UTC',
  }).format(Date.UTC(2024, 0, day))

export const stateOf = ({ state }: Entry): string =>
  ({
    UNCONFIRMED: texts.unconfirmed,
    WAITING: texts.waiting,
    OFFERED: texts.hasOffer,
    ...texts.statesAfter,
  })[state]

export const placesOf = ({ resources }: Pick<Entry, 'resources'>) =>
  resources?.map(one => one.name).join(', ') ?? common.anyone
