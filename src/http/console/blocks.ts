import Type from 'typebox'
import { createClosures, removeClosure } from '../../actions/scheduling/closures.ts'
import { type ClosureRecord, listBlocks } from '../../db/scheduling/closures.ts'
import { isAllDay } from '../../rules/offers/closures.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { Moment, Uuid } from '../wire/fields.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { ClosedSpan, periodQuery, readPeriod } from './closures.ts'
import { affectedRecord, DiaryRecord } from './diary.ts'
import { providerOfRow, resourceOf } from './visible.ts'

// Time that staff block for themselves: a closure of one Resource, whose reason consumers never see.

const path = '/console/api/resources/:uuid/blocks'

const BlockSchema = Type.Object(
  { uuid: Uuid, from: Moment, to: Moment, allDay: Type.Boolean(), reason: Type.String() },
  { title: 'Block' },
)

const blockRecord = (block: ClosureRecord) => ({
  uuid: block.uuid,
  from: toUtcText(block.from),
  to: toUtcText(block.to),
  allDay: isAllDay(block),
  reason: block.reason,
})

export const getBlocks = consoleRoute({
  method: 'GET',
  path,
  scope: 'settings',
  operationId: 'listBlocks',
  tag: 'Console',
  summary: 'List blocked times of a Resource',
  description: 'Times that staff have blocked and that have not ended, in chronological order.',
  query: periodQuery,
  replies: { 200: Type.Object({ blocks: Type.Array(BlockSchema) }) },
  errors: ['not-found'],
  async handle({ params, query, caller, service }) {
    const resource = await resourceOf(service, caller, params.uuid)
    const provider = await providerOfRow(service, resource)
    const blocks = await listBlocks(service.db, resource, readPeriod(query, provider.timeZone))
    return answer(200, { blocks: blocks.map(blockRecord) })
  },
})

export const postBlock = consoleRoute({
  method: 'POST',
  path,
  scope: 'settings',
  operationId: 'createBlock',
  tag: 'Console',
  summary: 'Block time of a Resource',
  description:
    'Takes the time off offer. Consumers never see the reason. `appointments` lists those inside the block; they remain booked.',
  body: Type.Object(ClosedSpan, { title: 'BlockInput' }),
  replies: {
    201: Type.Object({ block: BlockSchema, appointments: Type.Array(DiaryRecord) }, { title: 'NewBlock' }),
  },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const resource = await resourceOf(service, caller, params.uuid)
    const provider = await providerOfRow(service, resource)
    const closing = { inputs: [body], resources: [resource.uuid], isBlock: true }
    const { closures, appointments } = await createClosures(service, caller.actor, provider, closing)
    return answer(201, {
      block: blockRecord(closures[0]!),
      appointments: appointments.map(affectedRecord(caller)),
    })
  },
})

export const deleteBlock = consoleRoute({
  method: 'DELETE',
  path: `${path}/:blockUuid`,
  scope: 'settings',
  operationId: 'deleteBlock',
  tag: 'Console',
  summary: 'Unblock time of a Resource',
  description: 'The time is on offer again immediately.',
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const resource = await resourceOf(service, caller, params.uuid)
    const provider = await providerOfRow(service, resource)
    await removeClosure(service, caller.actor, provider, params.blockUuid, resource.id)
    return noContent()
  },
})
