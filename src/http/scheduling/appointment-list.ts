import Type from 'typebox'
import {
  type AppointmentFilter,
  appointmentTexts,
  firstPlace,
  type ListPlace,
  readAppointments,
} from '../../db/scheduling/appointment-records.ts'
import { AppointmentRecord } from '../../entities/appointment.ts'
import { readInstant } from '../../rules/time/read-times.ts'
import { ChangedSince } from '../wire/fields.ts'
import { wholeList } from '../wire/long-lists.ts'
import { linkNext, pageQuery, readPage } from '../wire/pages.ts'
import { crmRoutes } from '../wire/route.ts'

export const getAppointments = crmRoutes('B5. Appointments')({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/appointments',
  operationId: 'getAppointments',
  summary: 'Get Appointments',
  description:
    'Active and cancelled Appointments in chronological order. `from` and `to` limit the period; without `limit`, returns all.',
  query: {
    productRef: Type.Optional(Type.String({ description: 'Only Appointments with this Product.' })),
    resourceRef: Type.Optional(Type.String({ description: 'Only Appointments of this Resource.' })),
    includeArchived: Type.Boolean({ default: false, description: 'Include archived Appointments.' }),
    from: Type.Optional(Type.String({ description: 'Only Appointments that end after this date-time.' })),
    to: Type.Optional(Type.String({ description: 'Only Appointments that start before this date-time.' })),
    changedSince: ChangedSince,
    ...pageQuery,
  },
  replies: { 200: Type.Array(AppointmentRecord) },
  isList: true,
  async handle({ query, service, request, reply, found: provider }) {
    const { from, to, changedSince, limit, after, ...rest } = query
    const readTime = (field: string, text?: string) =>
      text ? { [field]: readInstant(text, provider.timeZone, field) } : {}
    const filter: AppointmentFilter = {
      providerId: provider.id,
      ...rest,
      ...readTime('from', from),
      ...readTime('to', to),
      ...readTime('changedSince', changedSince),
    }
    reply.type('application/json; charset=utf-8')
    const page = readPage(query, 2)
    const list = limit
      ? await onePage({ service, request, reply, query }, filter, page.after, limit)
      : await wholeList(appointmentTexts(service.db, filter, placeOf(page.after)))
    // Already JSON: Fastify sends strings and streams unchanged.
    return list as unknown as AppointmentRecord[]
  },
})

const placeOf = (after: number[] | null): ListPlace =>
  after ? { start: new Date(after[0]!), id: after[1]! } : firstPlace

async function onePage(
  call: Parameters<typeof linkNext>[0],
  filter: AppointmentFilter,
  after: number[] | null,
  limit: number,
): Promise<string> {
  const { text, next } = await readAppointments(call.service.db, filter, placeOf(after), limit)
  if (next) linkNext(call, [new Date(next.start).getTime(), next.id])
  return `[${text}]`
}
