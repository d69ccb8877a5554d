import Type from 'typebox'
import { changeRetention } from '../../actions/console/settings.ts'
import { defaultRetention } from '../../actions/scheduling/retention.ts'
import { type CrmRetention, findRetention } from '../../db/retention.ts'
import type { Service } from '../../service.ts'
import { Optional } from '../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../wire/if-match.ts'
import { consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { crmInPath } from './subjects.ts'

const RetentionRecord = Type.Object(
  {
    mailDays: Nullable(
      Type.Integer({ description: 'Days after which the content and recipients of emails are deleted.' }),
    ),
    customerMonths: Nullable(
      Type.Integer({
        description: 'Months after their last Appointment when Customers who only booked online are erased.',
      }),
    ),
    forAll: Type.Object(
      { mailDays: Nullable(Type.Integer()), customerMonths: Nullable(Type.Integer()) },
      { description: 'Applies if the CRM sets nothing: the operator’s settings. Null to keep forever.' },
    ),
  },
  { title: 'Retention' },
)

export const getRetention = consoleRoute({
  path: '/console/api/crms/:crmId/retention',
  method: 'GET',
  operationId: 'getRetention',
  access: { right: 'crm', whose: crmInPath, scope: 'settings' },
  summary: 'Get the retention periods of a CRM',
  description: 'Null means the operator’s default. `PATCH` accepts the ETag as If-Match.',
  replies: { 200: RetentionRecord },
  handle: async ({ service, reply, found: crm }) =>
    withEtag(reply, recordFor(service)(await findRetention(service.db, crm.id))),
})

export const patchRetention = consoleRoute({
  path: '/console/api/crms/:crmId/retention',
  method: 'PATCH',
  operationId: 'updateRetention',
  access: { right: 'crm', whose: crmInPath, scope: 'settings' },
  summary: 'Set the retention periods of a CRM',
  description:
    'Changes only the fields that are sent; null restores the operator’s default. A value set here takes precedence, whether shorter or longer. The daily job deletes the data at its next run, and it cannot be restored: `holdfast purge --dry-run` counts it first.',
  headers: IfMatch,
  body: Type.Partial(
    Type.Object({
      mailDays: Optional(Type.Integer({ minimum: 7, maximum: 36_500 })),
      customerMonths: Optional(Type.Integer({ minimum: 1, maximum: 1200 })),
    }),
    { title: 'RetentionChange' },
  ),
  replies: { 200: RetentionRecord },
  async handle({ body, caller, service, request, reply, found: crm }) {
    const record = recordFor(service)
    const check = ifUnchanged(request, record)
    const saved = await changeRetention(service, { crm, actor: caller.actor }, body, check)
    return withEtag(reply, record(saved))
  },
})

const recordFor =
  (service: Service) =>
  ({ mailDays, customerMonths }: CrmRetention) => ({
    mailDays,
    customerMonths,
    forAll: defaultRetention(service),
  })
