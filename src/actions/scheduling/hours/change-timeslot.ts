import { isDeepStrictEqual } from 'node:util'
import type { ProviderContext } from '../../../callers.ts'
import { lockById } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { RestartTransaction } from '../../../db/base/postgres-errors.ts'
import {
  findTimeslots,
  deleteTimeslot as remove,
  resourceOfTimeslot,
  type TimeslotRecord,
  updateTimeslot as update,
} from '../../../db/scheduling/timeslots.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { notFound, Refusal } from '../../../errors.ts'
import { omitUndefined } from '../../../lib/objects.ts'
import { checkGrid } from '../../../rules/offers/timeslots.ts'
import { readInstant } from '../../../rules/time/read-times.ts'
import { recordEvents } from '../../record-events.ts'
import { rollbackIfUnchanged } from '../../rollback-if-unchanged.ts'
import type { TimeslotFields } from './create-timeslots.ts'

type TimeslotChange = Partial<
  Omit<TimeslotFields, 'reference' | 'resourceReference' | 'start'> & { start: string }
>

/** Changes only the fields sent. No active Appointment may end up outside the window. */
export async function updateTimeslot(
  { service, actor, provider }: ProviderContext,
  reference: string,
  change: TimeslotChange,
): Promise<TimeslotRecord> {
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    const slot = await lockTimeslot(tx, provider, reference)
    const { start, end, ...rest } = change
    const changed = {
      ...slot,
      ...omitUndefined(rest),
      start: start === undefined ? slot.start : readInstant(start, provider.timeZone, 'start'),
      end: end === undefined ? slot.end : readInstant(end, provider.timeZone, 'end'),
    }
    checkGrid(changed)
    refuseStranded(slot, changed)
    if (isDeepStrictEqual(changed, slot)) same(slot)
    await update(tx, changed)
    await recordEvents(tx, service, { actor, provider, events: { 'timeslot.changed': [slot.id] } })
    return (await findTimeslots(tx, provider.id, [reference]))[0]!
  })
}

export async function deleteTimeslot({ service, actor, provider }: ProviderContext, reference: string) {
  await service.db.transaction(async tx => {
    const slot = await lockTimeslot(tx, provider, reference)
    if (activeOf(slot).length > 0) throw new Refusal('active-appointment', { rule: 'timeslot' })
    await remove(tx, slot.id)
    const events = {
      'timeslot.deleted': [{ subject: slot.id, detail: reference, extra: { uuid: slot.uuid } }],
    }
    await recordEvents(tx, service, { actor, provider, events })
  })
}

async function lockTimeslot(
  tx: Queryable,
  provider: ProviderRow,
  reference: string,
): Promise<TimeslotRecord> {
  const resourceId = await resourceOfTimeslot(tx, provider.id, reference)
  if (resourceId !== null) await lockById(tx, resourceId)
  // Read again under the lock: another transaction may have changed or deleted it.
  const [slot] = await findTimeslots(tx, provider.id, [reference])
  if (!slot) throw notFound('Timeslot', reference)
  // The reference now names another Timeslot, at a Resource that is not locked.
  if (slot.resourceId !== resourceId) throw new RestartTransaction()
  return slot
}

const activeOf = (slot: TimeslotRecord) =>
  slot.appointments.filter(appointment => appointment.state === 'ACTIVE')

function refuseStranded(slot: TimeslotRecord, { start, end }: { start: number; end: number }) {
  const stranded = activeOf(slot).find(one => Date.parse(one.start) < start || Date.parse(one.end) > end)
  if (stranded) throw new Refusal('active-appointment', { rule: 'outside', name: stranded.reference })
}
