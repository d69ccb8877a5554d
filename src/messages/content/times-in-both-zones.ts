import type { Language } from '../../languages.ts'
import { textsIn } from '../texts/index.ts'
import { type When, whenOf } from './when.ts'

/** The time of a booking, and the zone and format its consumer used. */
type BookedTime = {
  start: string
  end: string
  /** The Provider's zone. */
  timeZone: string
  /** The zone the consumer saw when booking; null means the Provider's. */
  consumerZone?: string | null
  locale?: string | null
  /** The consumer visits a place, so local time there comes first. */
  isVisit?: boolean
}

/** The same moment in two zones: the one that matters to the reader, and the other if it differs. */
export type BothTimes = When & { other: string | null }

/** The zone shown first to the consumer. */
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
