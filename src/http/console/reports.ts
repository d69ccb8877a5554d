import Type from 'typebox'
import type { ProviderRow } from '../../db/setup/providers.ts'
import type { Service } from '../../service.ts'
import { answerReport, bookingReport } from '../scheduling/report-content.ts'
import {
  AnswerReport,
  answerText,
  BookingReport,
  bookingText,
  reportQuery,
} from '../scheduling/report-schemas.ts'
import { recordAt } from '../wire/callers/permit.ts'
import { Uuid } from '../wire/fields.ts'
import { consoleRoute } from '../wire/route.ts'
import { productInPath, providerInPath, resourceInPath } from './subjects.ts'

const about = {
  method: 'GET',
  access: { right: 'reports', whose: providerInPath },
  isLarge: true,
} as const

const query = {
  ...reportQuery,
  resourceUuid: Type.Optional(Type.String({ ...Uuid, description: 'Only bookings at this Resource.' })),
  productUuid: Type.Optional(Type.String({ ...Uuid, description: 'Only bookings of this Product.' })),
}

async function filterOf(
  { db }: Service,
  { id }: ProviderRow,
  { resourceUuid, productUuid }: { resourceUuid?: string; productUuid?: string },
) {
  const resource = resourceUuid ? await recordAt(db, resourceInPath, id, resourceUuid) : null
  const product = productUuid ? await recordAt(db, productInPath, id, productUuid) : null
  return { resourceId: resource?.id ?? null, productId: product?.id ?? null }
}

export const getBookingReportForStaff = consoleRoute({
  ...about,
  path: '/console/api/providers/:uuid/reports/bookings',
  operationId: 'getBookingReportForStaff',
  summary: 'Get booking report',
  description: bookingText,
  query,
  replies: { 200: BookingReport },
  errors: ['missing-field'],
  async handle({ query, service, found: provider }) {
    const filter = await filterOf(service, provider, query)
    return bookingReport(service, provider, query, filter)
  },
})

export const getAnswerReportForStaff = consoleRoute({
  ...about,
  path: '/console/api/providers/:uuid/reports/answers',
  operationId: 'getAnswerReportForStaff',
  summary: 'Get report of answers',
  description: answerText,
  query,
  replies: { 200: AnswerReport },
  errors: ['missing-field'],
  async handle({ query, service, found: provider }) {
    const filter = await filterOf(service, provider, query)
    return answerReport(service, provider, query, filter)
  },
})
