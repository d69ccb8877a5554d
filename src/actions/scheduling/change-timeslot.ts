import { isDeepStrictEqual } from 'node:util'
import { lockById } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { RestartTransaction } from '../../db/base/postgres-errors.ts'
import {
  findTimeslots,
  deleteTimeslot as remove,
  resourceOfTimeslot,
  type TimeslotRecord,
  updateTimeslot as update,
} from '../../db/scheduling/timeslots.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { activeAppointment, notFound } from '../../errors.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import type { Actor } from '../../rules/messages/events.ts'
import { checkGrid } from '../../rules/offers/timeslots.ts'
import { readInstant } from '../../rules/time/read-times.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { rollbackIfUnchanged } from '../rollback-if-unchanged.ts'
import type { TimeslotFields } from './create-timeslots.ts'

type TimeslotChange = Partial<
  Omit<TimeslotFields, 'reference' | 'resourceReference' | 'start'> & { start: string }
>

/** Changes only the fields sent. No active Appointment may end up outside the window. */
export async function updateTimeslot(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
  change: TimeslotChange,
): Promise<TimeslotRecord> {
  return rollbackIfUnchanged(service.db, async (tx, same) => {
    const slot = await lockTimeslot(tx, provider, reference)
    const { start, end, ...rest } = change
    const changed = {
      ...slot,
      ...omitUndefined(rest),
      startAt: start === undefined ? slot.startAt : readInstant(start, provider.timeZone, 'start'),
      endAt: end === undefined ? slot.endAt : readInstant(end, provider.timeZone, 'end'),
    }
    checkGrid({ start: changed.startAt, end: changed.endAt, raster: changed.raster })
    refuseStranded(slot, changed)
    if (isDeepStrictEqual(changed, slot)) same(slot)
    await update(tx, changed)
    await recordEvents(tx, service, { actor, provider, events: { 'timeslot.changed': [slot.id] } })
    return (await findTimeslots(tx, provider.id, [reference]))[0]!
  })
}

export async function deleteTimeslot(
  service: Service,
  actor: Actor,
  provider: ProviderRow,
  reference: string,
) {
  await service.db.transaction(async tx => {
    const slot = await lockTimeslot(tx, provider, reference)
    if (activeOf(slot).length > 0)
      throw activeAppointment(
        'The Timeslot has an Appointment that is not cancelled. Cancel or delete that first.',
      )
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

function refuseStranded(slot: TimeslotRecord, { startAt, endAt }: { startAt: number; endAt: number }) {
  const stranded = activeOf(slot).find(
    ({ start, end }) => Date.parse(start) < startAt || Date.parse(end) > endAt,
  )
  if (stranded)
    throw activeAppointment(
      `The Appointment ${stranded.reference} would lie outside the Timeslot. Cancel or delete it first.`,
    )
}
