import { api } from '../../api.ts'
import { ordered } from '../../entry-order.ts'
import { useLoad } from '../../load.ts'
import type { CalendarPeriod } from '../../records.ts'
import { timeRange } from '../../time.ts'
import type { Picked } from '../../ui/customer/customer-choice.ts'
import { elsewhere } from '../calendar/warnings.ts'
import { texts } from './words.ts'

/** One day of the Provider's calendar, for warnings and choices. */
export const useDayData = (providerUuid: string, day: string) =>
  useLoad(day ? `calendar-${providerUuid}-${day}` : null, signal =>
    api.get(`/providers/${providerUuid}/calendar`, { query: { from: day }, signal }).then(ordered),
  )

/** Why each slot of this day is or is not offered. */
export const useExplanation = (resourceUuid: string, day: string) =>
  useLoad(resourceUuid && day ? `explain-${resourceUuid}-${day}` : null, signal =>
    api.get(`/resources/${resourceUuid}/explain`, { query: { date: day }, signal }),
  )

/** Names the customer's other booking at the same time. */
export function doubleBooking(
  data: CalendarPeriod | null,
  picked: Picked,
  span: { start: number; end: number } | null,
  zone: string,
  except?: string,
): string[] {
  if (!data || !span || picked.kind !== 'known') return []
  const { uuid, name } = picked.customer
  return elsewhere(data, uuid, span)
    .filter(one => one.uuid !== except)
    .map(one => texts.alreadyBooked(name, timeRange(one.start, one.end, zone), one.resource.name))
}
