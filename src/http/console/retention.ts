import Type from 'typebox'
import { changeRetention } from '../../actions/console/retention.ts'
import { retentionForAll } from '../../actions/scheduling/retention.ts'
import { type CrmRetention, findRetention } from '../../db/retention.ts'
import type { Service } from '../../service.ts'
import { Optional } from '../wire/fields.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { IfMatch, ifUnchanged, tagged } from '../wire/unchanged.ts'
import { Nullable } from '../wire/wrapper.ts'
import { crmOf } from './crm.ts'

const RetentionRecord = Type.Object(
  {
    mailDays: Nullable(
      Type.Integer({ description: 'After so many days what mails said is forgotten, and to whom.' }),
    ),
    customerMonths: Nullable(
      Type.Integer({
        description:
          'Customers who only booked by themselves are erased so long after their last Appointment.',
      }),
    ),
    forAll: Type.Object(
      { mailDays: Nullable(Type.Integer()), customerMonths: Nullable(Type.Integer()) },
      { description: 'What counts where the CRM has set nothing: the operator’s settings; null: never.' },
    ),
  },
  { title: 'Retention' },
)

const about = {
  tag: 'Console',
  path: '/console/api/crms/:crmId/retention',
  scope: 'settings',
} as const

export const getRetention = consoleRoute({
  ...about,
  method: 'GET',
  operationId: 'getRetention',
  summary: 'After how long a CRM forgets',
  description: 'Null: as the operator has set it for all. With an ETag, which `PATCH` takes as If-Match.',
  replies: { 200: RetentionRecord },
  errors: ['not-found'],
  async handle({ params, caller, service, reply }) {
    const crm = await crmOf(service, caller, params.crmId)
    return answer(200, tagged(reply, recordFor(service)(await findRetention(service.db, crm.id))))
  },
})

export const patchRetention = consoleRoute({
  ...about,
  method: 'PATCH',
  operationId: 'updateRetention',
  summary: 'Set after how long a CRM forgets',
  description:
    'Only the fields sent change; null: as the operator has set it for all. A wish of its own counts before that, whether shorter or longer. The daily job forgets at its next run, and what is forgotten does not come back: `holdfast purge --dry-run` counts first.',
  headers: IfMatch,
  body: Type.Partial(
    Type.Object({
      mailDays: Optional(Type.Integer({ minimum: 7, maximum: 36_500 })),
      customerMonths: Optional(Type.Integer({ minimum: 1, maximum: 1200 })),
    }),
    { title: 'RetentionChange' },
  ),
  replies: { 200: RetentionRecord },
  errors: ['not-found', 'changed'],
  async handle({ params, body, caller, service, request, reply }) {
    const crm = await crmOf(service, caller, params.crmId)
    const record = recordFor(service)
    const check = ifUnchanged(request, record)
    const saved = await changeRetention(service, { crm, actor: caller.actor }, body, check)
    return answer(200, tagged(reply, record(saved)))
  },
})

const recordFor =
  (service: Service) =>
  ({ mailDays, customerMonths }: CrmRetention) => ({
    mailDays,
    customerMonths,
    forAll: retentionForAll(service),
  })
