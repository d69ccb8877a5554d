import { type MailRow, giveUpMail as markFailed } from '../db/mails.ts'
import { theService } from '../rules/news/events.ts'
import type { Service } from '../service.ts'
import { happened } from './happened.ts'

/** A mail that will not be delivered: whoever waits for it to arrive should know. */
export async function giveUpMail(service: Service, { id, crmId, providerId }: MailRow) {
  await service.db.transaction(async tx => {
    if (!(await markFailed(tx, id))) return
    // It belongs to no CRM's log; operators see it among the mails.
    if (crmId === null) return
    await happened(tx, service, {
      actor: theService,
      crmId,
      ...(providerId === null ? {} : { provider: { id: providerId, crmId } }),
      news: { 'mail.failed': [id] },
    })
  })
}
