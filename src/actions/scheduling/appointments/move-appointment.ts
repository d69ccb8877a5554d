import type { ProviderContext } from '../../../callers.ts'
import { lockByIds } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  moveAppointment as move,
  movePeople,
  type NewPlace,
  readAppointmentTimes,
} from '../../../db/scheduling/appointment-moves.ts'
import { findAppointmentRecords } from '../../../db/scheduling/appointment-records.ts'
import { type AppointmentRow, findAppointment } from '../../../db/scheduling/appointments.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { findResource, resourcesById } from '../../../db/setup/resources.ts'
import type { AppointmentRecord } from '../../../entities/appointment.ts'
import { cannotRestore, conflict, movedSince, notAfterStart, notFound } from '../../../errors.ts'
import { blockedSpan } from '../../../rules/offers/window.ts'
import { readPeriod } from '../../../rules/time/read-times.ts'
import { appointmentKey, participationKey, rememberMove, wasMovedSince } from '../../recent-moves.ts'
import { recordEvents } from '../../record-events.ts'
import { offerFreedTimes } from '../waiting/offer-freed.ts'
import { restartIfMoved } from './cancel-appointments.ts'
import { obstaclesAt } from './staff-conflicts.ts'

/** `arrived`: when the request came in, by performance.now(). */
export type MoveContext = ProviderContext & { arrived: number }
type Move = { start: string; end: string; resourceReference?: string | null; message?: string | null }
export type MoveFlags = { ignoreConflicts: boolean; sendMails: boolean }

/**
 * Moves the Appointment with all its participants and notifies them. Conflicts are reported, but the provider
 * can override them. A move to the current place changes nothing. Of two concurrent moves, the second is
 * refused because its caller saw an outdated time.
 */
export async function moveAppointment(
  context: MoveContext,
  reference: string,
  input: Move,
  flags: MoveFlags,
  /** Where the caller saw it, if that was before this request. */
  shown?: Spot,
): Promise<AppointmentRecord> {
  const { service, provider } = context
  const { start, end } = readPeriod({ start: input.start, end: input.end }, provider.timeZone)
  if (end <= start) throw notAfterStart('end', 'start')
  // A restarted transaction is still checked against what the caller saw first.
  let first: Spot | undefined = shown
  const { appointment, moved } = await service.db.transaction(async tx => {
    const seen = await findAppointment(tx, provider.id, reference)
    if (!seen || seen.archived) throw notFound('Appointment', reference, 'appointmentReference')
    first ??= seen
    const { found, target, now } = await lockBoth(tx, provider, seen, input.resourceReference ?? null)
    const { id } = found
    const before = await readAppointmentTimes(tx, id)
    const place = { resourceId: target, start, end, blocked: blockedSpan(start, end, before) }
    const isThere = found.resourceId === target && start === before.startAt && end === before.endAt
    const moved: string[] = []
    if (!isThere) {
      if (!isUnchangedSpot(first, found) || wasMovedSince(context.arrived, appointmentKey(id)))
        throw movedSince(before)
      const isForced = await checkConflicts(tx, [id], place, flags)
      await move(tx, id, place, isForced)
      const options = { before, now, sendMails: flags.sendMails }
      moved.push(appointmentKey(id), ...(await recordMove(tx, context, id, input.message ?? null, options)))
      const left = blockedSpan(before.startAt, before.endAt, before)
      await offerFreedTimes(tx, service, provider.id, [{ resourceId: found.resourceId, ...left }])
    }
    return { appointment: (await findAppointmentRecords(tx, [id]))[0]!, moved }
  })
  rememberMove(...moved)
  return appointment
}

type Spot = Pick<AppointmentRow, 'resourceId' | 'startAt' | 'endAt'>

export function refuseUnlessAt(shown: Spot, found: AppointmentRow) {
  if (found.state === 'CANCELLED') throw cannotRestore()
  if (!isUnchangedSpot(shown, found)) throw movedSince(found)
}

export const isUnchangedSpot = (seen: Spot, found: Spot) =>
  seen.resourceId === found.resourceId && seen.startAt === found.startAt && seen.endAt === found.endAt

/** Locks the Resources of both places in the order of their ids, to avoid deadlocks. */
async function lockBoth(
  tx: Queryable,
  provider: ProviderRow,
  seen: AppointmentRow,
  resourceReference: string | null,
) {
  const { reference } = seen
  const to = resourceReference === null ? null : await findResource(tx, provider.id, resourceReference)
  if (resourceReference !== null && !to) throw notFound('Resource', resourceReference, 'resourceReference')
  const target = to?.id ?? seen.resourceId
  const { now } = await lockByIds(tx, [seen.resourceId, target])
  const found = await findAppointment(tx, provider.id, reference)
  if (!found || found.archived) throw notFound('Appointment', reference, 'appointmentReference')
  restartIfMoved(seen, found)
  if (found.state === 'CANCELLED') throw cannotRestore()
  // Deleted while we waited for the lock.
  if (to && !(await findResource(tx, provider.id, to.reference)))
    throw notFound('Resource', to.reference, 'resourceReference')
  return { found, target, now }
}

/**
 * Refuses overlaps and closed times. With `ignoreConflicts` it returns whether the Appointment overlaps
 * another.
 */
export async function checkConflicts(
  tx: Queryable,
  ids: number[],
  { resourceId, ...place }: NewPlace,
  { ignoreConflicts }: MoveFlags,
): Promise<boolean> {
  const [resource] = await resourcesById(tx, [resourceId])
  const reasons = await obstaclesAt(tx, resource!, place, ids)
  if (reasons.length > 0 && !ignoreConflicts) throw conflict(reasons)
  return reasons.some(one => one.kind === 'overlap')
}

type MoveOptions = { before: { startAt: number; endAt: number }; now: number; sendMails: boolean }

export async function recordMove(
  tx: Queryable,
  context: MoveContext,
  id: number,
  message: string | null,
  { before, now, sendMails }: MoveOptions,
) {
  const people = await movePeople(tx, id, message)
  const waiting = people.filter(one => one.state === 'REQUESTED').map(one => one.id)
  await recordEvents(tx, context.service, {
    ...context,
    events: {
      'appointment.moved': [id],
      'participation.moved': people.map(one => one.id),
      // Their email says that the request is still open.
      'participation.requested': waiting,
    },
    previousTimes: () => before,
    message,
    now,
    sendMails,
  })
  return people.map(one => participationKey(one.id))
}
