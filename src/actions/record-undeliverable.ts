import { type MailRow, abandonMail as markFailed } from '../db/mails.ts'
import { serviceActor } from '../rules/messages/events.ts'
import type { Service } from '../service.ts'
import { recordEvents } from './record-events.ts'

/** Records that an email will not be delivered, so that integrations stop waiting for it. */
export async function recordUndeliverable(service: Service, { id, crmId, providerId }: MailRow) {
  await service.db.transaction(async tx => {
    if (!(await markFailed(tx, id))) return
    // Belongs to no CRM's log; operators see it in the list of emails.
    if (crmId === null) return
    await recordEvents(tx, service, {
      actor: serviceActor,
      crmId,
      ...(providerId === null ? {} : { provider: { id: providerId, crmId } }),
      events: { 'mail.failed': [id] },
    })
  })
}
