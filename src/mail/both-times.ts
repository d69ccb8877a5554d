import type { Language } from '../languages.ts'
import { textsIn } from './texts/index.ts'
import { type When, whenOf } from './when.ts'

/** When a booking is, and how whoever made it wished to see that. */
type BookedTime = {
  start: string
  end: string
  /** The Provider's zone. */
  timeZone: string
  /** As the consumer saw the time when they booked; the Provider's counts where they did not say. */
  consumerZone?: string | null
  locale?: string | null
  /** One goes there: the clock of the place comes first. */
  isVisit?: boolean
}

/** The same moment on both clocks: the one that counts for the reader, and the other where it shows something else. */
export type BothTimes = When & { other: string | null }

/** The clock that comes first for the consumer. */
export const zoneOfConsumer = ({
  timeZone,
  consumerZone,
  isVisit,
}: Pick<BookedTime, 'timeZone' | 'consumerZone' | 'isVisit'>) =>
  isVisit ? timeZone : (consumerZone ?? timeZone)

export function bothTimes(
  booked: BookedTime,
  language: Language,
  reader: 'consumer' | 'provider',
): BothTimes {
  const { start, end, timeZone, consumerZone } = booked
  const locale = reader === 'consumer' ? booked.locale : null
  const inZone = (zone: string) => whenOf({ start, end, timeZone: zone, locale }, language)
  const own = reader === 'consumer' ? zoneOfConsumer(booked) : timeZone
  const first = inZone(own)
  const second = inZone(own === timeZone ? (consumerZone ?? timeZone) : timeZone)
  const other =
    first.sentence === second.sentence ? null : `${second.zone}${textsIn(language).colon} ${second.sentence}`
  return { ...first, other }
}
