import Type from 'typebox'
import { createClosures, removeClosure } from '../../../actions/scheduling/hours/closures.ts'
import { type ClosureRecord, listBlocks } from '../../../db/scheduling/closures.ts'
import { isAllDay } from '../../../rules/offers/closures.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import { Moment, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { affectedRecord, DiaryRecord } from '../calendar/diary.ts'
import { resourceInPath } from '../subjects.ts'
import { ClosedSpan, periodQuery, readPeriod } from './closures.ts'

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
  operationId: 'listBlocks',
  access: { right: 'book', whose: resourceInPath, scope: 'settings' },
  summary: 'List blocked times of a Resource',
  description: 'Times that staff have blocked and that have not ended, in chronological order.',
  query: periodQuery,
  replies: { 200: Type.Object({ blocks: Type.Array(BlockSchema) }) },
  async handle({ query, service, found: resource, context }) {
    const { provider } = context
    const blocks = await listBlocks(service.db, resource, readPeriod(query, provider.timeZone))
    return { blocks: blocks.map(blockRecord) }
  },
})

export const postBlock = consoleRoute({
  method: 'POST',
  path,
  operationId: 'createBlock',
  access: { right: 'book', whose: resourceInPath, scope: 'settings' },
  summary: 'Block time of a Resource',
  description:
    'Takes the time off offer. Consumers never see the reason. `appointments` lists those inside the block; they remain booked.',
  body: Type.Object(ClosedSpan, { title: 'BlockInput' }),
  replies: {
    201: Type.Object({ block: BlockSchema, appointments: Type.Array(DiaryRecord) }, { title: 'NewBlock' }),
  },
  async handle({ body, caller, found: resource, context }) {
    const closing = { inputs: [body], resources: [resource.uuid], isBlock: true }
    const { closures, appointments } = await createClosures(context, closing)
    return {
      block: blockRecord(closures[0]!),
      appointments: appointments.map(affectedRecord(caller)),
    }
  },
})

export const deleteBlock = consoleRoute({
  method: 'DELETE',
  path: `${path}/:blockUuid`,
  operationId: 'deleteBlock',
  access: { right: 'book', whose: resourceInPath, scope: 'settings' },
  summary: 'Unblock time of a Resource',
  description: 'The time is on offer again immediately.',
  replies: { 204: null },
  handle: ({ params, found: resource, context }) => removeClosure(context, params.blockUuid, resource.id),
})
