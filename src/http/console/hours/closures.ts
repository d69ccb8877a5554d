import Type from 'typebox'
import {
  changeClosure,
  createClosures,
  findClosureWithAppointments,
  removeClosure,
} from '../../../actions/scheduling/hours/closures.ts'
import { type ClosureRecord, listClosures } from '../../../db/scheduling/closures.ts'
import { invalidField } from '../../../errors.ts'
import { clockNow } from '../../../lib/clock.ts'
import { isAllDay } from '../../../rules/offers/closures.ts'
import { parseDateOrInstant, toUtcText } from '../../../rules/time/time.ts'
import { Moment, Optional, ruleText, Text, Uuid } from '../../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../../wire/if-match.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { affectedRecord, DiaryRecord } from '../calendar/diary.ts'
import { providerInPath } from '../subjects.ts'

const path = '/console/api/providers/:uuid/closures'

const rule = ruleText(
  'be a day such as 2027-03-04, or a date-time; without an offset, the Provider’s local time',
)
export const DayOrTime = Type.String({ minLength: 1, maxLength: 64, pattern: '\\S', ...rule })

export const ClosedSpan = {
  from: DayOrTime,
  to: Type.String({
    ...DayOrTime,
    description: `First day or moment that is open again. ${rule.description}`,
  }),
  reason: Text(200),
}

const ClosureInput = Type.Object(
  {
    ...ClosedSpan,
    resources: Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 1000,
        description: 'uuids of the closed Resources. Omit to close all Resources of the Provider.',
      }),
    ),
  },
  { title: 'ClosureInput' },
)

export const ClosureSchema = Type.Object(
  {
    uuid: Uuid,
    from: Moment,
    to: Moment,
    allDay: Type.Boolean({ description: 'Whether the closure was given in days rather than times.' }),
    reason: Type.String(),
    resources: Nullable(Type.Array(Uuid)),
  },
  { title: 'Closure' },
)

const WithAppointments = Type.Object(
  { closure: ClosureSchema, appointments: Type.Array(DiaryRecord) },
  { title: 'ClosureWithAppointments' },
)

export const closureRecord = (closure: ClosureRecord) => ({
  uuid: closure.uuid,
  from: toUtcText(closure.from),
  to: toUtcText(closure.to),
  allDay: isAllDay(closure),
  reason: closure.reason,
  resources: closure.resources,
})

export const periodQuery = {
  from: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Only closures that end after this day or date-time. Default: now.',
    }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only closures that start before this day or date-time.' }),
  ),
}

export function readPeriod(query: { from?: string; to?: string }, zone: string) {
  const read = (field: 'from' | 'to') => {
    const text = query[field]
    const moment = text === undefined ? undefined : parseDateOrInstant(text, zone)
    if (moment === null) throw invalidField(field, 'date-or-time')
    return moment
  }
  return { from: read('from') ?? clockNow(), to: read('to') ?? null }
}

export const getClosures = consoleRoute({
  method: 'GET',
  path,
  operationId: 'listClosures',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'List closures of a Provider',
  description: 'Closures that have not ended, in chronological order. `resources` is null if all are closed.',
  query: periodQuery,
  replies: { 200: Type.Object({ closures: Type.Array(ClosureSchema) }) },
  async handle({ query, service, found: provider }) {
    const period = readPeriod(query, provider.timeZone)
    const closures = await listClosures(service.db, provider.id, period)
    return { closures: closures.map(closureRecord) }
  },
})

export const postClosure = consoleRoute({
  method: 'POST',
  path,
  operationId: 'createClosure',
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  summary: 'Add a closure',
  description:
    'For owners, managers and administrators. Takes the time off offer at all Resources or at some. Timeslots do not change. `appointments` lists those inside the closure; they remain booked until you move or cancel them.',
  body: ClosureInput,
  replies: { 201: WithAppointments },
  async handle({ body, caller, context }) {
    const { resources = null, ...input } = body
    const closing = { inputs: [input], resources }
    const { closures, appointments } = await createClosures(context, closing)
    return {
      closure: closureRecord(closures[0]!),
      appointments: appointments.map(affectedRecord(caller)),
    }
  },
})

export const getClosure = consoleRoute({
  method: 'GET',
  path: `${path}/:closureUuid`,
  operationId: 'getClosure',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'Get a closure',
  description: 'Includes the Appointments inside it. `PATCH` accepts the ETag as If-Match.',
  replies: { 200: WithAppointments },
  async handle({ params, caller, service, reply, found: provider }) {
    const { closure, appointments } = await findClosureWithAppointments(service, provider, params.closureUuid)
    return {
      closure: withEtag(reply, closureRecord(closure)),
      appointments: appointments.map(affectedRecord(caller)),
    }
  },
})

export const patchClosure = consoleRoute({
  method: 'PATCH',
  path: `${path}/:closureUuid`,
  operationId: 'changeClosure',
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  summary: 'Change a closure',
  description:
    'For owners, managers and administrators. Changes only the fields that are sent; null in `resources` means all. `appointments` lists those now inside the closure.',
  headers: IfMatch,
  body: Type.Partial(ClosureInput, { title: 'ClosureChange' }),
  replies: { 200: WithAppointments },
  async handle({ params, body, caller, request, reply, context }) {
    const check = ifUnchanged(request, closureRecord)
    const { closureUuid } = params
    const changed = await changeClosure(context, closureUuid, body, check)
    return {
      closure: withEtag(reply, closureRecord(changed.closure)),
      appointments: changed.appointments.map(affectedRecord(caller)),
    }
  },
})

export const deleteProviderClosure = consoleRoute({
  method: 'DELETE',
  path: `${path}/:closureUuid`,
  operationId: 'deleteClosure',
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  summary: 'Remove a closure',
  description: 'For owners, managers and administrators. The closed time is on offer again immediately.',
  replies: { 204: null },
  handle: ({ params, context }) => removeClosure(context, params.closureUuid),
})
