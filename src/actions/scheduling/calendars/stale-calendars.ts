import { markStaleTold, staleSources } from '../../../db/scheduling/calendar-checks.ts'
import { lockCheck, setClosedSince } from '../../../db/scheduling/calendar-sources.ts'
import { bumpResources } from '../../../db/setup/revisions.ts'
import { pickLanguage } from '../../../languages.ts'
import { calendarEmail } from '../../../messages/compose.ts'
import { serviceActor } from '../../../rules/messages/events.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'

const batch = 100

/** Notifies the contact once, and closes the Resource if that is its setting. Several instances may run this. */
export async function noticeStaleCalendars(service: Service) {
  for (const { id } of await staleSources(service.db, { id: null, limit: batch }))
    await noticeOne(service, id)
}

/** Decided under the lock: the calendar may have been read, paused or changed since it was found. */
async function noticeOne(service: Service, id: number) {
  await service.db.transaction(async tx => {
    await lockCheck(tx, id)
    const [source] = await staleSources(tx, { id, limit: 1 })
    if (!source) return
    const { providerId, crmId, resourceId, email } = source
    await markStaleTold(tx, id)
    if (!source.stayOpen) {
      await setClosedSince(tx, id, true)
      await bumpResources(tx, providerId, [resourceId])
    }
    if (source.isTold) return
    const data = {
      provider: source.providerName,
      resource: source.resourceName,
      calendar: source.name,
      hours: source.staleHours,
      isClosed: !source.stayOpen,
    }
    const language = pickLanguage(source.language, 'en')
    const reader = { email: email ?? '', name: source.contactName ?? '', language }
    await recordEvents(tx, service, {
      actor: serviceActor,
      provider: { id: providerId, crmId },
      events: { 'calendar.stale': [id] },
      extraEmails: email ? [calendarEmail({ crmId, providerId }, reader, data)] : [],
    })
  })
}
