import type { Queryable } from '../../db/base/pool.ts'
import {
  findParticipation,
  markAttendance,
  type ParticipationRecord,
} from '../../db/scheduling/participations.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { notBooked, notFound } from '../../errors.ts'
import type { Actor } from '../../rules/news/events.ts'
import type { Attendance } from '../../rules/news/participations.ts'
import type { Service } from '../../service.ts'
import { happened, type News } from '../happened.ts'

type Context = { service: Service; actor: Actor; provider: ProviderRow }

/** Whether somebody came; null takes back what was said. The state stays, and saying it twice changes nothing. */
export async function setAttendance(
  context: Context,
  reference: string,
  attendance: Attendance | null,
): Promise<ParticipationRecord> {
  const { service, provider } = context
  return service.db.transaction(async tx => {
    const seen = await participationOf(tx, provider.id, reference)
    if (seen.attendance === attendance) return seen
    const isChanged = await markAttendance(tx, seen.id, attendance)
    const participation = await participationOf(tx, provider.id, reference)
    if (isChanged) await happened(tx, service, { ...context, news: newsOf(participation) })
    else if (participation.attendance !== attendance) throw notBooked(participation.state)
    return participation
  })
}

/** What is taken back has no name of its own: the Appointment has changed. */
function newsOf({ id, appointmentId, attendance }: ParticipationRecord): News {
  if (attendance === null) return { 'appointment.changed': [appointmentId] }
  return { [attendance === 'ATTENDED' ? 'participation.attended' : 'participation.missed']: [id] }
}

async function participationOf(tx: Queryable, providerId: number, reference: string) {
  const participation = await findParticipation(tx, providerId, reference)
  if (!participation) throw notFound('Participation', reference)
  return participation
}
