import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'

/** All that one day of the Provider's calendar holds: for warnings, and for what can be chosen. */
export const useDayData = (providerUuid: string, day: string) =>
  useLoad(day ? `calendar-${providerUuid}-${day}` : null, signal =>
    api.get(`/providers/${providerUuid}/calendar`, { query: { from: day }, signal }),
  )

/** What a consumer would be offered at this Resource on this day. */
export const useFreeTimes = (resourceUuid: string, day: string, productUuid: string | null) =>
  useLoad(resourceUuid && day ? `explain-${resourceUuid}-${day}-${productUuid}` : null, signal =>
    api.get(`/resources/${resourceUuid}/explain`, { query: { date: day, prdRef: productUuid }, signal }),
  )
