import type { ProviderContext } from '../../../callers.ts'
import { lockRecords } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  findParticipation,
  markAttendance,
  type ParticipationRecord,
} from '../../../db/scheduling/participations.ts'
import { notBooked, notFound } from '../../../errors.ts'
import type { Attendance } from '../../../rules/states/participations.ts'
import { type EventsByKind, recordEvents } from '../../record-events.ts'

/**
 * Records whether a participant came; null clears the record. The state stays, and repeating the call changes
 * nothing.
 */
export async function setAttendance(
  context: ProviderContext,
  reference: string,
  attendance: Attendance | null,
): Promise<ParticipationRecord> {
  const { service } = context
  const [marked] = await service.db.transaction(tx => markAll(tx, context, [{ reference, attendance }]))
  return marked!
}

type Mark = { reference: string; attendance: Attendance | null }

/** Of several people, all or none. */
export const setAttendances = (context: ProviderContext, marks: Mark[]) =>
  context.service.db.transaction(tx => markAll(tx, context, marks))

async function markAll(
  tx: Queryable,
  context: ProviderContext,
  marks: Mark[],
): Promise<ParticipationRecord[]> {
  const { service, provider } = context
  const all: ParticipationRecord[] = []
  for (const { reference, attendance } of marks) {
    const seen = await participationOf(tx, provider.id, reference)
    all.push(seen)
    if (seen.attendance === attendance) continue
    await lockRecords(tx, [seen.id])
    const isChanged = await markAttendance(tx, seen.id, attendance)
    const participation = await participationOf(tx, provider.id, reference)
    all[all.length - 1] = participation
    if (isChanged) await recordEvents(tx, service, { ...context, events: eventsFor(participation) })
    else if (participation.attendance !== attendance) throw notBooked(participation.state)
  }
  return all
}

/** Clearing has no event kind of its own, so it is recorded as a change of the Appointment. */
function eventsFor({ id, appointmentId, attendance }: ParticipationRecord): EventsByKind {
  if (attendance === null) return { 'appointment.changed': [appointmentId] }
  return { [attendance === 'ATTENDED' ? 'participation.attended' : 'participation.missed']: [id] }
}

async function participationOf(tx: Queryable, providerId: number, reference: string) {
  const participation = await findParticipation(tx, providerId, reference)
  if (!participation) throw notFound('Participation', reference)
  return participation
}
