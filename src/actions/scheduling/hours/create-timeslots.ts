import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import { lockByReferences } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  findTimeslots,
  insertTimeslots,
  type NewTimeslot,
  type TimeslotRecord,
} from '../../../db/scheduling/timeslots.ts'
import { pick } from '../../../entities/entity.ts'
import type { TimeslotInput } from '../../../entities/timeslot.ts'
import { mapCollectingRefusals, notFound, referenceExists } from '../../../errors.ts'
import { checkGrid } from '../../../rules/offers/timeslots.ts'
import { readPeriod } from '../../../rules/time/read-times.ts'
import { nextRasterSinceMidnight } from '../../../rules/time/time.ts'
import { recordEvents } from '../../record-events.ts'
import { rollbackIfUnchanged } from '../../rollback-if-unchanged.ts'

export type TimeslotFields = Omit<TimeslotInput, 'address'> & {
  address?: TimeslotRecord['address'] | undefined
}

/**
 * All or none. An existing Timeslot with the same content is returned; with different content it is refused.
 */
export async function createTimeslots(
  { service, actor, provider }: ProviderContext,
  sent: TimeslotFields[],
): Promise<{ timeslots: TimeslotRecord[]; created: boolean }> {
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    const resources = await lockByReferences(tx, provider.id, [
      ...new Set(sent.map(one => one.resourceReference)),
    ])
    const begun = await startsOfKnown(tx, provider.id, sent)
    const wanted = mapCollectingRefusals(sent, (fields, index) => {
      const resource = resources.get(fields.resourceReference)
      const at = `timeslots[${index}].`
      if (!resource) throw notFound('Resource', fields.resourceReference, `${at}resourceReference`)
      return readTimeslot(fields, provider.timeZone, resource, begun, at)
    })
    const made = new Set(await insertTimeslots(tx, provider.id, wanted))
    const found = await findTimeslots(
      tx,
      provider.id,
      wanted.map(one => one.reference),
    )
    const byReference = new Map(found.map(row => [row.reference, row]))
    const timeslots = mapCollectingRefusals(wanted, (one, index) =>
      sameContent(one, byReference.get(one.reference), `timeslots[${index}].reference`),
    )
    if (made.size === 0) same({ timeslots, created: false })
    const events = {
      'timeslot.created': timeslots.filter(one => made.has(one.reference)).map(one => one.id),
    }
    await recordEvents(tx, service, { actor, provider, events })
    return { timeslots, created: true }
  })
}

/** A Timeslot without a start begins now. So that a retry matches, an existing one keeps its start. */
async function startsOfKnown(
  tx: Queryable,
  providerId: number,
  sent: TimeslotFields[],
): Promise<Map<string, number>> {
  const references = sent.flatMap(({ start, reference }) => (start || !reference ? [] : [reference]))
  if (references.length === 0) return new Map()
  const known = await findTimeslots(tx, providerId, references)
  return new Map(known.map(row => [row.reference, row.start]))
}

function readTimeslot(
  { resourceReference: _, reference, start: from, end: to, ...fields }: TimeslotFields,
  zone: string,
  resource: { id: number; now: number },
  begun: Map<string, number>,
  at: string,
): NewTimeslot {
  const sent = readPeriod({ start: from, end: to }, zone, at)
  const start =
    sent.start ?? begun.get(reference ?? '') ?? nextRasterSinceMidnight(resource.now, fields.raster, zone)
  const { end } = sent
  checkGrid({ start, end, raster: fields.raster }, at)
  return {
    ...fields,
    address: fields.address ?? null,
    resourceId: resource.id,
    reference: reference ?? `${randomUUID()}@timeslot`,
    start,
    end,
  }
}

/**
 * The existing Timeslot if its content is the same. Missing if another transaction has just deleted it at
 * another Resource.
 */
function sameContent(wanted: NewTimeslot, row: TimeslotRecord | undefined, field: string): TimeslotRecord {
  const { reference, ...content } = wanted
  if (!row || !isDeepStrictEqual(content, pick(row, Object.keys(content) as (keyof typeof content)[])))
    throw referenceExists('Timeslot', reference, field)
  return row
}
