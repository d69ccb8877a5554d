import type { CalendarPeriod } from '../../records.ts'
import { timeRange } from '../../time.ts'
import type { Picked } from '../../ui/customer-choice.ts'
import { elsewhere } from '../calendar/warnings.ts'
import { texts } from './words.ts'

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
