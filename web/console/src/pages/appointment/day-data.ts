import { api } from '../../api.ts'
import { ordered } from '../../entry-order.ts'
import { useLoad } from '../../load.ts'

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
