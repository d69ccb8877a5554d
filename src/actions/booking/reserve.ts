import { randomUUID } from 'node:crypto'
import { notFound, slotTaken } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { appointmentGone } from './refuse-slot.ts'
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
  appointmentUuid ? slotTaken(appointmentGone) : notFound('Timeslot', target.uuid, 'timeslot_uuid')
