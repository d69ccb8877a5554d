import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import {
  type CalendarPeriod,
  type CalendarProduct,
  type CalendarResource,
  offers,
  type Schemas,
} from '../../records.ts'
import { warningsOf } from '../calendar/warnings.ts'

export type Span = { start: number; end: number }
export type FreeTime = Schemas['FreeTime']

type Question = {
  productUuid: string
  /** The first day. */
  from: string
  resourceUuid?: string
  /** In minutes. */
  duration?: number
  /** The Appointment being moved. */
  appointmentUuid?: string
  /** Returns only the first time of each day, for this many days; with `perGroup`, all of them in groups. */
  nextDays?: number
  /** The last day that `nextDays` may reach. */
  until?: string
  perGroup?: number
  resourceUuids?: string[]
  /** 1 is Monday. */
  weekdays?: string[]
  timeFrom?: string
  timeTo?: string
  includeClosed?: boolean
}

/** The only search for free times: the service knows slot lengths, durations and conflicts. */
export const useFreeTimes = (providerUuid: string, question: Question) =>
  useLoad(`free-${providerUuid}-${JSON.stringify(question)}`, signal =>
    readFreeTimes(providerUuid, question, signal),
  )

export const readFreeTimes = (providerUuid: string, question: Question, signal: AbortSignal) =>
  api.get(`/providers/${providerUuid}/free-times`, { query: question, signal })

/** For a typed time: the first Resource that offers the Product without a conflict. */
export const freeAt = (data: CalendarPeriod, product: CalendarProduct, span: Span): CalendarResource | null =>
  data.resources.find(
    one =>
      offers(one, product) &&
      warningsOf(data, { ...span, resourceUuid: one.uuid, productUuid: product.uuid, canJoin: true })
        .length === 0,
  ) ?? null
