import { type MailRow, giveUpMail as markFailed } from '../db/mails.ts'
import { theService } from '../rules/events.ts'
import type { Service } from '../service.ts'
import { happened } from './happened.ts'

/** A mail that will not be delivered: whoever waits for it to arrive should know. */
export async function giveUpMail(service: Service, { id, crm_id, provider_id }: MailRow) {
  await service.db.transaction(async tx => {
    if (!(await markFailed(tx, id))) return
    // It belongs to no CRM's log; operators see it among the mails.
    if (crm_id === null) return
    await happened(tx, service, {
      actor: theService,
      crmId: crm_id,
      ...(provider_id === null ? {} : { provider: { id: provider_id, crm_id } }),
      news: { 'mail.failed': [id] },
    })
  })
}
