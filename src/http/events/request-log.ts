import Type from 'typebox'
import { type LoggedCall, listCalls } from '../../db/setup/request-log.ts'
import { omitUndefined } from '../../lib/objects.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { Moment } from '../wire/fields.ts'
import { crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

const CallRecord = Type.Object(
  {
    id: Type.String({ description: 'Identifies the entry; rises with time.' }),
    at: { ...Moment, description: 'When the call was answered.' },
    key: Type.String({ description: 'Prefix of the API key.' }),
    route: Type.String({ description: 'Method and path, without the values in it.' }),
    status: Type.Integer({ description: 'Status of the answer.' }),
    errorCode: Nullable(
      Type.String({ description: 'The first errorCode of the answer. Null without an error.' }),
    ),
    requestId: Type.String({ description: 'The X-Request-Id of the answer.' }),
    ms: Type.Integer({ description: 'How long the service took, in milliseconds.' }),
    standsFor: Type.Integer({
      description:
        '1, or 10 if the key made more than 100 calls in that second: only one in ten is kept then.',
    }),
  },
  { title: 'LoggedRequest' },
)

export const getRequestLog = crmRoutes('B8. Events')({
  method: 'GET',
  path: '/crms/:crmId/requests',
  operationId: 'getRequestLog',
  summary: 'Get the request log',
  description:
    'The calls of all API keys of the CRM in the last 7 days, newest first, without bodies, references and query values. Entries appear within seconds. Those of the last seconds are lost if the service crashes, and all if the database does. Beyond 100 calls of a key in a second, one in ten is kept, and `standsFor` says so. Requests without a valid key are not listed. Follow `next` until it is null: pages of a search may have few entries, or none.',
  query: {
    key: Type.Optional(
      Type.String({ maxLength: 16, description: 'Only calls of the key with this prefix.' }),
    ),
    status: Type.Optional(
      Type.String({
        pattern: '^[1-5](\\d\\d|xx)$',
        description: 'Only calls with this status, such as `409` or `4xx`.',
        'x-must': 'be a status such as 409 or 4xx',
      }),
    ),
    route: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only calls whose route contains this text.' }),
    ),
    requestId: Type.Optional(
      Type.String({ maxLength: 128, description: 'Only calls with this request id.' }),
    ),
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: '`next` of the previous page.',
      }),
    ),
    limit: Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 100,
      description: 'Maximum number of entries.',
    }),
  },
  replies: {
    200: Wrapped({
      requests: Type.Array(CallRecord),
      next: Nullable(
        Type.Number({ description: 'Send it as `before` for older calls. Null if there are none.' }),
      ),
    }),
  },
  async handle({ query, caller, service }) {
    const { key, route, requestId, limit, before = Number.MAX_SAFE_INTEGER } = query
    // So that callers see what they have just done, at least on this instance.
    await service.requestLog.flush()
    const status = query.status ? rangeOf(query.status) : undefined
    const filter = omitUndefined({ key, route, requestId, status })
    const { calls, next } = await listCalls(service.db, caller.crm.id, filter, { before, limit })
    return wrap({ requests: calls.map(callRecord), next })
  },
})

const rangeOf = (status: string): [number, number] => [
  Number(status.replace('xx', '00')),
  Number(status.replace('xx', '99')),
]

const callRecord = ({ id, at, prefix, code, ...call }: LoggedCall) => ({
  id: String(id),
  at: toUtcText(at),
  key: prefix,
  route: call.route,
  status: call.status,
  errorCode: code,
  requestId: call.requestId,
  ms: call.ms,
  standsFor: call.standsFor,
})
