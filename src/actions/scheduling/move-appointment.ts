import { lockByIds } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import {
  moveAppointment as move,
  movePeople,
  type NewPlace,
  whereabouts,
} from '../../db/scheduling/appointment-moves.ts'
import { type AppointmentRecord, findAppointmentRecords } from '../../db/scheduling/appointment-records.ts'
import { type AppointmentRow, findAppointment } from '../../db/scheduling/appointments.ts'
import { appointmentsInTheWay } from '../../db/scheduling/calendar.ts'
import { closedTimesOf } from '../../db/scheduling/closures.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { findResource, resourcesById } from '../../db/setup/resources.ts'
import { cancelledStays, conflict, invalidField, movedMeanwhile, notFound } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import { blockedSpan } from '../../rules/offers/window.ts'
import { readPeriod } from '../../rules/time/read-times.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { appointmentName, noteMoved, personName, wasMovedSince } from '../moved-lately.ts'
import { refuseElsewhere } from './cancel-appointments.ts'

/** `arrived`: when the wish came in, by performance.now(). */
export type MoveContext = { service: Service; actor: Actor; provider: ProviderRow; arrived: number }
type Move = { start: string; end: string; resourceReference?: string | null; message?: string | null }
export type MoveFlags = { ignoreConflicts: boolean; sendMails: boolean }

/**
 * The Appointment moves with all who are in it, and they are told. What is in the way is said; the provider may know
 * better. To where it is already: nothing happens. Of two at once, the second is told that its picture is old.
 */
export async function moveAppointment(
  context: MoveContext,
  reference: string,
  wish: Move,
  flags: MoveFlags,
): Promise<AppointmentRecord> {
  const { service, provider } = context
  const { start, end } = readPeriod({ start: wish.start, end: wish.end }, provider.timeZone)
  if (end <= start) throw invalidField('end', 'end must be after start.')
  // Whoever must begin anew still wants what they wanted on the first picture.
  let first: AppointmentRow | undefined
  const { appointment, moved } = await service.db.transaction(async tx => {
    const seen = await findAppointment(tx, provider.id, reference)
    if (!seen || seen.archived) throw notFound('Appointment', reference, 'appointmentReference')
    first ??= seen
    const { found, target, now } = await lockBoth(tx, provider, seen, wish.resourceReference ?? null)
    const { id } = found
    const before = await whereabouts(tx, id)
    const { lead: leadMinutes, followUp: followUpMinutes } = before
    const blocked = blockedSpan(start, end, { leadMinutes, followUpMinutes })
    const place = { resourceId: target, start, end, blocked }
    const isThere = found.resourceId === target && start === before.startAt && end === before.endAt
    const moved: string[] = []
    if (!isThere) {
      if (!isAsSeen(first, found) || wasMovedSince(context.arrived, appointmentName(id)))
        throw movedMeanwhile(toUtcText(before.startAt), toUtcText(before.endAt))
      const isForced = await isInTheWay(tx, provider, [id], place, flags)
      await move(tx, id, place, isForced)
      const telling = { before, now, sendMails: flags.sendMails }
      moved.push(appointmentName(id), ...(await tellMoved(tx, context, id, wish.message ?? null, telling)))
    }
    return { appointment: (await findAppointmentRecords(tx, [id]))[0]!, moved }
  })
  noteMoved(...moved)
  return appointment
}

type Spot = Pick<AppointmentRow, 'resourceId' | 'startAt' | 'endAt'>

export const isAsSeen = (seen: Spot, found: Spot) =>
  seen.resourceId === found.resourceId && seen.startAt === found.startAt && seen.endAt === found.endAt

/** The Resources of both places, in the order of their ids. */
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
  refuseElsewhere(seen, found)
  if (found.state === 'CANCELLED') throw cancelledStays()
  // Deleted while we waited.
  if (to && !(await findResource(tx, provider.id, to.reference)))
    throw notFound('Resource', to.reference, 'resourceReference')
  return { found, target, now }
}

/** Refuses what overlaps or is closed. Whoever wants it all the same learns whether it overlaps. */
export async function isInTheWay(
  tx: Queryable,
  provider: ProviderRow,
  ids: number[],
  { resourceId, start, end, blocked }: NewPlace,
  { ignoreConflicts }: MoveFlags,
): Promise<boolean> {
  const others = await appointmentsInTheWay(tx, resourceId, blocked, ids)
  const [resource] = await resourcesById(tx, [resourceId])
  const closures = (await closedTimesOf(tx, provider.id, start, end)).filter(
    one => one.resources === null || one.resources.includes(resource!.uuid),
  )
  const reasons = [
    ...others.map(
      one => `It overlaps with ${one.reference} from ${toUtcText(one.start)} to ${toUtcText(one.end)}.`,
    ),
    ...closures.map(one => `It is closed then: ${one.reason}.`),
  ]
  if (reasons.length > 0 && !ignoreConflicts) throw conflict(reasons.join(' '))
  return others.length > 0
}

type Telling = { before: { startAt: number; endAt: number }; now: number; sendMails: boolean }

export async function tellMoved(
  tx: Queryable,
  context: MoveContext,
  id: number,
  message: string | null,
  { before, now, sendMails }: Telling,
) {
  const people = await movePeople(tx, id, message)
  const waiting = people.filter(one => one.state === 'REQUESTED').map(one => one.id)
  await happened(tx, context.service, {
    ...context,
    news: {
      'appointment.moved': [id],
      'participation.moved': people.map(one => one.id),
      // Their mail says that they still wait for an answer.
      'participation.requested': waiting,
    },
    before: () => before,
    message,
    now,
    sendMails,
  })
  return people.map(one => personName(one.id))
}
