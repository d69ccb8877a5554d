import Type, { type Static } from 'typebox'
import type { MoveContext } from '../../actions/scheduling/appointments/move-appointment.ts'
import {
  type AbsenceLine,
  type LineResult,
  lineActions,
  planAbsence,
  readAbsence,
  settleAbsence,
} from '../../actions/scheduling/hours/absence.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import type { ResourceRow } from '../../db/setup/resources.ts'
import { errorCodes, errorText } from '../../error-texts.ts'
import { invalidField, missingField } from '../../errors.ts'
import { readInstant, readPeriod } from '../../rules/time/read-times.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { resourceOf } from '../setup/resources.ts'
import { Choice, LocalTime, Moment, Optional, OptionalText, Reference, Uuid } from '../wire/fields.ts'
import { crmRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { sendMails } from './series.ts'

// A therapist is ill: what has not begun goes to colleagues, to other times, is cancelled or stays. The console
// has the same calls.

const crmRoute = crmRoutes('B5. Appointments')

export const absencePeriod = {
  from: Optional(
    Type.String({ maxLength: 64, description: 'First day or moment of the absence. Default: now.' }),
  ),
  to: Optional(
    Type.String({
      maxLength: 64,
      description: 'First day or moment after it, at most 31 days later. Default: the end of the first day.',
    }),
  ),
}

export const previewText =
  'Lists the Appointments of the Resource that have not begun, and spreads them over all colleagues who offer the Product and are free at the same time, evenly and as many as fit. Changes and reserves nothing.'
export const settleText =
  'Moves, cancels or leaves each Appointment, each in its own transaction and in this order. `results` has one entry for each line: done as sent, or `failed` with the reason, for example if the colleague was booked since the preview (`conflict`) or the Appointment was changed (`changed`). Nothing is booked over. `blockReason` first takes the time of the Resource off offer.'

const Place = Type.Object({ uuid: Uuid, name: Type.String() })

/** `appointment`: how the caller sees an Appointment. */
export const previewReply = <T extends Type.TProperties>(appointment: T) => ({
  timeZone: Type.String(),
  from: Moment,
  to: Moment,
  lines: Type.Array(
    Type.Object({
      ...appointment,
      standIns: Type.Array(Place, { description: 'Colleagues who are free at the same time.' }),
      proposed: Nullable(
        Type.Object(Place.properties, {
          description: 'The colleague who would take it if all lines are confirmed as they are.',
        }),
      ),
    }),
  ),
  fits: Type.Integer({ description: 'How many have a proposal.' }),
  byResource: Type.Array(Type.Object({ ...Place.properties, count: Type.Integer() }), {
    description: 'How many each colleague would take, the most first.',
  }),
})

export const chosenLine = {
  action: Choice(lineActions, { description: 'What happens to the Appointment.' }),
  seenStart: Type.String({
    ...LocalTime,
    description: 'Start in the preview. If it differs by now, nothing is changed.',
  }),
  seenEnd: LocalTime,
  start: Optional(
    Type.String({ ...LocalTime, description: 'For a move to another time. Default: the same.' }),
  ),
  end: Optional(LocalTime),
}
export const settleFields = {
  ...absencePeriod,
  blockReason: Optional(
    Type.String({
      maxLength: 200,
      description:
        'Blocks the time of the Resource with this reason, which consumers never see. Default: no block.',
    }),
  ),
  message: OptionalText(1024),
}
export const Result = Type.Object(
  {
    result: Choice(['moved', 'cancelled', 'left', 'failed'], {
      description: 'What became of the Appointment.',
    }),
    code: Nullable(Choice(errorCodes, { description: 'Why it failed.' })),
    message: Nullable(Type.String({ description: 'Why it failed, in English.' })),
  },
  { title: 'AbsenceResult' },
)
export const settleReply = {
  blockUuid: Nullable(Type.String({ ...Uuid, description: 'The block that was added.' })),
  results: Type.Array(Result, { description: 'In the order of the lines.' }),
}

const path = '/crms/:crmId/provider/:providerRef/resources/:resourceRef/absence'
export const maxLines = 500

export const previewAbsence = crmRoute({
  method: 'POST',
  path: `${path}/preview`,
  operationId: 'previewAbsence',
  summary: 'Find stand-ins for an absence',
  description: previewText,
  body: Type.Object(absencePeriod, { title: 'AbsencePreviewInput' }),
  replies: {
    200: Wrapped({
      absence: Type.Object(
        previewReply({
          appointmentReference: Type.String(),
          start: Moment,
          end: Moment,
          productName: Type.String(),
          people: Type.Integer(),
        }),
        { title: 'AbsencePreview', description: 'The Appointments and who could take them over.' },
      ),
    }),
  },
  async handle({ params, body, service, context, found: provider }) {
    const resource = await resourceOf(context, params.resourceRef)
    const absence = await preview(service, provider, resource, body, null, ({ entry }) => ({
      appointmentReference: entry.reference,
      start: toUtcText(entry.start),
      end: toUtcText(entry.end),
      productName: entry.productName,
      people: entry.people.length,
    }))
    return wrap({ absence })
  },
})

export const settleAbsenceOf = crmRoute({
  method: 'POST',
  path,
  operationId: 'settleAbsence',
  summary: 'Settle an absence',
  description: settleText,
  query: { sendMails },
  body: Type.Object(
    {
      ...settleFields,
      lines: Type.Array(
        Type.Object(
          {
            appointmentReference: Reference,
            ...chosenLine,
            resourceReference: Optional(
              Type.String({ ...Reference, description: 'For a move: the Resource it goes to.' }),
            ),
          },
          { title: 'AbsenceLine' },
        ),
        { maxItems: maxLines },
      ),
    },
    { title: 'AbsenceInput' },
  ),
  replies: { 200: Wrapped(settleReply) },
  async handle({ params, query, body, context }) {
    const resource = await resourceOf(context, params.resourceRef)
    const settled = await settle(context, resource, body, query, body.lines)
    return wrap(settled)
  },
})

type SentPeriod = { from?: string | null; to?: string | null }

/** Plans and writes the answer; `shown` is how the caller sees an Appointment. */
export async function preview<T extends object>(
  service: Service,
  provider: ProviderRow,
  resource: ResourceRow,
  sent: SentPeriod,
  only: string[] | null,
  shown: (line: AbsenceLine) => T,
) {
  const span = await readAbsence(service, provider, sent)
  const planned = await planAbsence(service, provider, resource, span, only)
  const counts = new Map<string, { uuid: string; name: string; count: number }>()
  for (const { proposed } of planned)
    if (proposed) {
      const { uuid, name } = proposed
      counts.set(uuid, { uuid, name, count: (counts.get(uuid)?.count ?? 0) + 1 })
    }
  const byResource = [...counts.values()].sort((one, other) => other.count - one.count)
  return {
    timeZone: provider.timeZone,
    from: toUtcText(span.from),
    to: toUtcText(span.to),
    lines: planned.map(line => ({
      ...shown(line),
      standIns: line.standIns.map(placeRecord),
      proposed: line.proposed && placeRecord(line.proposed),
    })),
    fits: planned.filter(one => one.proposed).length,
    byResource,
  }
}

const placeRecord = ({ uuid, name }: { uuid: string; name: string }) => ({ uuid, name })

type SentLine = Static<Type.TObject<typeof chosenLine>> & {
  appointmentReference: string
  resourceReference?: string | null
}
type SentSettlement = Static<Type.TObject<typeof settleFields>>

export async function settle(
  context: MoveContext,
  resource: ResourceRow,
  { blockReason, message = null, ...sent }: SentSettlement,
  { sendMails }: { sendMails: boolean },
  lines: SentLine[],
): Promise<Static<Type.TObject<typeof settleReply>>> {
  const { timeZone } = context.provider
  const references = lines.map(one => one.appointmentReference)
  const chosen = lines.map((line, index) => {
    if (references.indexOf(line.appointmentReference) < index)
      throw invalidField(`lines[${index}].appointmentReference`, 'duplicate:list')
    return readLine(line, index, timeZone)
  })
  const span = await readAbsence(context.service, context.provider, sent)
  const block = blockReason ? { ...span, reason: blockReason } : null
  const { blockUuid, results } = await settleAbsence(context, resource, {
    lines: chosen,
    block,
    message,
    sendMails,
  })
  return { blockUuid, results: results.map(resultRecord) }
}

const resultRecord = ({ result, refusal }: LineResult) => ({
  result,
  code: refusal?.code ?? null,
  message: refusal && errorText(refusal),
})

function readLine(line: SentLine, index: number, timeZone: string) {
  const at = `lines[${index}].`
  const seen = readPeriod({ seenStart: line.seenStart, seenEnd: line.seenEnd }, timeZone, at)
  if (line.action === 'move' && !line.resourceReference)
    throw missingField(`${at}resourceReference`, 'move-resource')
  const [start, end] = [line.start ?? line.seenStart, line.end ?? line.seenEnd]
  if (
    line.action === 'move' &&
    readInstant(end, timeZone, `${at}end`) <= readInstant(start, timeZone, `${at}start`)
  )
    throw invalidField(`${at}end`, 'after-start:line')
  return {
    appointmentReference: line.appointmentReference,
    action: line.action,
    seen: { start: seen.seenStart, end: seen.seenEnd },
    to: { start, end, resourceReference: line.resourceReference ?? '' },
  }
}
