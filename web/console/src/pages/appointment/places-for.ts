import { type CalendarPeriod, type Entry, offers } from '../../records.ts'
import type { When } from './form-times.ts'

/** The current Resource, the drag's target, and every Resource that offers the Product. */
export const placesFor = (entry: Entry, when: When, data: CalendarPeriod | null) =>
  data?.resources.filter(
    one => offers(one, entry.product) || one.uuid === entry.resource.uuid || one.uuid === when.resourceUuid,
  ) ?? [entry.resource]
