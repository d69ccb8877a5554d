import { randomUUID } from 'node:crypto'
import { bumpForHoldsElsewhere, lockById, markChangedHolds } from '../../db/base/ledger.ts'
import { releaseHolds, resourceOfHold } from '../../db/booking/holds.ts'
import { notFound, slotTaken } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import type { PreparedReserve, Reserved, ReserveRequest } from './requests.ts'

/** Holds a place for a few minutes. Only the client that knows the placeholder can book it. */
export async function reserve(service: Service, request: ReserveRequest): Promise<Reserved> {
  const { timeslotUuid, appointmentUuid, period, placeholder, newPlaceholder } = request
  const uuid = (appointmentUuid ?? timeslotUuid!).toLowerCase()
  const name = newPlaceholder?.toLowerCase() ?? null
  const prepared: PreparedReserve = {
    ...request,
    target: { uuid, ...period, itsOwnTimes: true },
    hold: { uuid: randomUUID(), placeholder: name ?? randomUUID() },
    // A hold of the same name is that of an earlier attempt, whose response was lost.
    placeholder: placeholder && isUuid(placeholder) ? placeholder : name,
  }
  if (!isUuid(uuid)) throw unknownTarget(prepared)
  return service.reserveBatcher.add(prepared)
}

export const unknownTarget = ({ appointmentUuid, target }: PreparedReserve) =>
  appointmentUuid ? slotTaken('gone') : notFound('Timeslot', target.uuid, 'timeslot_uuid')

/** Releases a hold. Repeating it, or calling it after expiry or booking, changes nothing. */
export async function release({ db }: Service, placeholder: string) {
  if (!isUuid(placeholder)) return
  await db.transaction(async tx => {
    const resourceId = await resourceOfHold(tx, placeholder)
    if (resourceId === null) return
    await lockById(tx, resourceId)
    await tx.last(
      Promise.all([
        bumpForHoldsElsewhere(tx, [placeholder], resourceId),
        markChangedHolds(tx, [placeholder]),
        releaseHolds(tx, [placeholder]),
      ]),
    )
  })
}
