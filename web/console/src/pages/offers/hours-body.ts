import { api } from '../../api.ts'
import type { Schemas } from '../../records.ts'

export type HoursBody = Schemas['OpeningHoursOfSeveral']['resources'][number]

/** Bookings that would be outside the new hours. */
export const previewOf = async (providerUuid: string, resources: HoursBody[]) =>
  (await api.post(`/providers/${providerUuid}/hours/preview`, { resources })).appointments
