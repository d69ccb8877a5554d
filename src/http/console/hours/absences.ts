import Type from 'typebox'
import { findDiaryEntry } from '../../../db/scheduling/diary.ts'
import {
  absencePeriod,
  chosenLine,
  maxLines,
  preview,
  previewReply,
  previewText,
  settle,
  settleFields,
  settleReply,
  settleText,
} from '../../scheduling/absences.ts'
import { recordAt } from '../../wire/callers/permit.ts'
import { Optional, RequiredUuid, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { flags } from '../appointments/walk-ins.ts'
import { affectedRecord, DiaryRecord } from '../calendar/diary.ts'
import { resourceInPath } from '../subjects.ts'

const path = '/console/api/resources/:uuid/absence'
export const previewConsoleAbsence = consoleRoute({
  access: { right: 'book', whose: resourceInPath },
  method: 'POST',
  path: `${path}/preview`,
  operationId: 'previewConsoleAbsence',
  isLarge: true,
  summary: 'Find stand-ins for an absence',
  description: `${previewText} Practitioners see only their own Resources as stand-ins.`,
  body: Type.Object(absencePeriod, { title: 'ConsoleAbsencePreviewInput' }),
  replies: {
    200: Type.Object(previewReply({ appointment: DiaryRecord }), { title: 'ConsoleAbsencePreview' }),
  },
  async handle({ body, caller, service, found: resource, only, context }) {
    const { provider } = context
    const shown = affectedRecord(caller)
    const planned = await preview(service, provider, resource, body, only, ({ entry }) => ({
      appointment: shown(entry),
    }))
    return planned
  },
})

export const settleConsoleAbsence = consoleRoute({
  access: { right: 'book', whose: resourceInPath },
  method: 'POST',
  path,
  operationId: 'settleConsoleAbsence',
  summary: 'Settle an absence',
  description: settleText,
  query: { sendMails: flags.sendMails },
  body: Type.Object(
    {
      ...settleFields,
      lines: Type.Array(
        Type.Object(
          { appointmentUuid: RequiredUuid, ...chosenLine, resourceUuid: Optional(Uuid) },
          { title: 'ConsoleAbsenceLine' },
        ),
        { maxItems: maxLines },
      ),
    },
    { title: 'ConsoleAbsenceInput' },
  ),
  replies: { 200: Type.Object(settleReply, { title: 'ConsoleAbsenceSettled' }) },
  async handle({ query, body, service, found: resource, only, context }) {
    const lines = []
    for (const { appointmentUuid, resourceUuid, ...line } of body.lines) {
      // Deleted since, or not at this Resource: the line says so, and the others are settled.
      const entry = await findDiaryEntry(service.db, appointmentUuid)
      const reference = entry?.providerId === context.provider.id ? entry.reference : appointmentUuid
      const target = resourceUuid
        ? await recordAt(service.db, resourceInPath, context.provider.id, resourceUuid, only)
        : null
      lines.push({ ...line, appointmentReference: reference, resourceReference: target?.reference ?? null })
    }
    return settle(context, resource, body, query, lines)
  },
})
