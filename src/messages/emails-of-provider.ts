import type { Queryable } from '../db/base/queryable.ts'
import { findCrmById } from '../db/setup/crms.ts'
import { type EmailDelivery, emailDelivery } from '../rules/messages/email-delivery.ts'
import type { Service } from '../service.ts'

/** How emails of a Provider reach people. Reads the CRM only without a mail server. */
export async function emailsOfProvider(
  service: Service,
  { crmId }: { crmId: number },
  db: Queryable = service.db,
): Promise<EmailDelivery> {
  if (service.sendsEmails) return 'sent'
  const crm = await findCrmById(db, crmId)
  return emailDelivery(service, crm?.name ?? '')
}
