import { lockByIds } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import {
  lastMoveOf,
  moveAppointment as move,
  movePeople,
  type Place,
  type Whereabouts,
  whereabouts,
} from '../../db/scheduling/appointment-moves.ts'
import { type AppointmentRecord, findAppointmentRecords } from '../../db/scheduling/appointment-records.ts'
import { findAppointment } from '../../db/scheduling/appointments.ts'
import { appointmentsInTheWay } from '../../db/scheduling/calendar.ts'
import { closedTimesOf } from '../../db/scheduling/closures.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { findResource, resourcesById } from '../../db/setup/resources.ts'
import { appointmentCancelled, conflict, invalidField, movedMeanwhile, notFound } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import { isOutdated, type Sight, sightOf } from '../../rules/news/moves.ts'
import { blockedSpan } from '../../rules/offers/window.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { refuseElsewhere } from './cancel-appointments.ts'
import { readInstant } from './create-timeslots.ts'

/** `arrived`: when the wish came in, by performance.now(). */
type Context = { service: Service; actor: Actor; provider: ProviderRow; arrived: number }
export type Move = { start: string; end: string; resourceReference?: string | null; message?: string | null }
type Flags = { ignoreConflicts: boolean; sendMails: boolean }

/**
 * The Appointment moves with all who are in it, and they are told. What is in the way is said; the provider may know
 * better. To where it is already: nothing happens. Of two at once, the second is told that its picture is old.
 */
export async function moveAppointment(
  context: Context,
  reference: string,
  wish: Move,
  flags: Flags,
): Promise<AppointmentRecord> {
  const { service, provider } = context
  const start = readInstant(wish.start, provider.timeZone, 'start')
  const end = readInstant(wish.end, provider.timeZone, 'end')
  if (end <= start) throw invalidField('end', 'end must be after start.')
  let sight: Sight | undefined
  return service.db.transaction(async tx => {
    // Once: whoever must begin anew still wants what they wanted on this picture.
    sight ??= await look(tx, context, reference)
    const { id, resourceId, now } = await lockBoth(tx, provider, reference, wish.resourceReference ?? null)
    const before = await whereabouts(tx, id)
    const { lead: leadMinutes, followUp: followUpMinutes } = before
    const blocked = blockedSpan(start, end, { leadMinutes, followUpMinutes })
    const place = { resourceId: resourceId.to, start, end, blocked }
    const isThere = resourceId.from === resourceId.to && start === before.startAt && end === before.endAt
    if (!isThere) {
      await refuseOutdated(tx, provider, reference, sight, before)
      const isForced = await isInTheWay(tx, provider, id, place, flags)
      await move(tx, id, place, isForced)
      await tell(tx, context, id, wish.message ?? null, { before, now, sendMails: flags.sendMails })
    }
    return (await findAppointmentRecords(tx, [id]))[0]!
  })
}

async function look(tx: Queryable, { provider, arrived }: Context, reference: string): Promise<Sight> {
  const last = await lastMoveOf(tx, provider.id, reference)
  if (!last) throw notFound('Appointment', reference, 'appointmentReference')
  return sightOf(last, performance.now() - arrived)
}

/** Under the lock: whoever was faster is done. */
async function refuseOutdated(
  tx: Queryable,
  provider: ProviderRow,
  reference: string,
  sight: Sight,
  { startAt, endAt }: Whereabouts,
) {
  const last = await lastMoveOf(tx, provider.id, reference)
  if (last && isOutdated(sight, last)) throw movedMeanwhile(toUtcText(startAt), toUtcText(endAt))
}

/** The Resources of both places, in the order of their ids. */
async function lockBoth(
  tx: Queryable,
  provider: ProviderRow,
  reference: string,
  resourceReference: string | null,
) {
  const seen = await findAppointment(tx, provider.id, reference)
  if (!seen || seen.archived) throw notFound('Appointment', reference, 'appointmentReference')
  const to = resourceReference === null ? null : await findResource(tx, provider.id, resourceReference)
  if (resourceReference !== null && !to) throw notFound('Resource', resourceReference, 'resourceReference')
  const target = to?.id ?? seen.resourceId
  const { now } = await lockByIds(tx, [seen.resourceId, target])
  const appointment = await findAppointment(tx, provider.id, reference)
  if (!appointment || appointment.archived) throw notFound('Appointment', reference, 'appointmentReference')
  refuseElsewhere(seen, appointment)
  if (appointment.state === 'CANCELLED') throw appointmentCancelled()
  // Deleted while we waited.
  if (to && !(await findResource(tx, provider.id, to.reference)))
    throw notFound('Resource', to.reference, 'resourceReference')
  return { id: appointment.id, resourceId: { from: appointment.resourceId, to: target }, now }
}

/** Refuses what overlaps or is closed. Whoever wants it all the same learns whether it overlaps. */
async function isInTheWay(
  tx: Queryable,
  provider: ProviderRow,
  id: number,
  { resourceId, start, end, blocked }: Place,
  { ignoreConflicts }: Flags,
): Promise<boolean> {
  const others = await appointmentsInTheWay(tx, resourceId, blocked, id)
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

async function tell(
  tx: Queryable,
  context: Context,
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
}
