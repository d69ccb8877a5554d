import Type from 'typebox'
import { type HistoryPlace, type LogOf, listHistory } from '../../db/events.ts'
import { actorNames } from '../../db/setup/console-users.ts'
import { invalidField } from '../../errors.ts'
import { actorKinds, eventNouns } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { EventRecord } from '../events/events.ts'
import { withData } from '../events/with-data.ts'
import { Choice } from '../wire/fields.ts'
import { consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { crmInPath, providerInPath } from './subjects.ts'

// The activity log: events, newest first.

const AuditEntry = Type.Object(
  {
    ...EventRecord.properties,
    by: Nullable(
      Type.String({
        description: 'Name of the login, or label of the key. Null if there is none or it was deleted.',
      }),
    ),
  },
  { title: 'AuditEntry' },
)

const AuditReply = Type.Object(
  {
    entries: Type.Array(AuditEntry),
    next: Nullable(
      Type.String({ description: 'Cursor for the next page, with older entries. Null on the last page.' }),
    ),
  },
  { title: 'Audit' },
)

const query = {
  about: Type.Optional(Choice(eventNouns, { description: 'Only entries about this kind of subject.' })),
  actor: Type.Optional(Choice(actorKinds, { description: 'Only entries by these actors.' })),
  before: Type.Optional(Type.String({ maxLength: 100, description: '`next` of the previous page.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Entries per page.' }),
}

type Query = { about?: string; actor?: string; before?: string; limit: number }

export const getAudit = consoleRoute({
  method: 'GET',
  path: '/console/api/audit',
  operationId: 'listAudit',
  access: { right: 'manage', whose: 'everywhere' },
  summary: 'List activity at all visible Providers',
  description:
    'Who did what and when, newest first, for as long as events are kept. Staff see the Providers they own.',
  query,
  replies: {
    200: Type.Object(
      {
        ...AuditReply.properties,
        events: Type.Array(AuditEntry, {
          description: 'The same as entries, under its former name.',
          deprecated: true,
        }),
      },
      { title: 'WholeAudit' },
    ),
  },
  async handle({ query, service, found: providerIds }) {
    const shown = await page(service, { providerIds }, query)
    return { ...shown, events: shown.entries }
  },
})

export const getProviderAudit = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/audit',
  operationId: 'getProviderAudit',
  access: { right: 'manage', whose: providerInPath },
  summary: 'List activity at a Provider',
  description: 'Who did what and when, newest first, for as long as events are kept.',
  query,
  replies: { 200: AuditReply },
  handle: ({ query, service, found: { id } }) => page(service, { providerIds: [id] }, query),
})

export const getCrmAudit = consoleRoute({
  method: 'GET',
  path: '/console/api/crms/:crmId/audit',
  operationId: 'getCrmAudit',
  access: { right: 'crm', whose: crmInPath },
  summary: 'List activity in a CRM',
  description:
    'The same for all Providers of the CRM, plus events without a Provider: keys, webhooks, Users.',
  query,
  replies: { 200: AuditReply },
  handle: ({ query, service, found: { id } }) => page(service, { crmId: id }, query),
})

async function page(service: Service, of: LogOf, { about, actor, before, limit }: Query) {
  const filter = { noun: about ?? null, actor: actor ?? null, before: placeOf(before), limit }
  const { db } = service
  const rows = await listHistory(db, of, filter)
  const [events, names] = await Promise.all([withData(service, rows), actorNames(db, rows)])
  return {
    entries: events.map((event, index) => ({ ...event, by: names.get(rows[index]!.actor ?? '') ?? null })),
    next: rows.length === limit ? placeText(rows.at(-1)!) : null,
  }
}

const placeText = ({ era, xid, id, micros }: HistoryPlace) => `${era}.${xid}.${id}.${micros}`

function placeOf(text: string | undefined) {
  if (text === undefined) return null
  const [_match, era, xid, id, micros] = /^(\d{1,9})\.(\d{1,19})\.(\d{1,15})\.(\d{1,17})$/.exec(text) ?? []
  if (era === undefined) throw invalidField('before', 'cursor:next')
  return { era: Number(era), xid: xid!, id: Number(id), micros: micros! }
}
