/** Whether visitors get emails: all of them, none for lack of a mail server, or only as shown in the console of the demo. */
export const emailDeliveries = ['sent', 'off', 'demo'] as const

export type EmailDelivery = (typeof emailDeliveries)[number]

/** The CRM of the demo data. */
export const demoCrm = 'demo'

/** How emails of a CRM reach people. Changes only with a restart, so responses that contain it can be cached. */
export function emailDelivery({ sendsEmails }: { sendsEmails: boolean }, crm: string): EmailDelivery {
  if (sendsEmails) return 'sent'
  return crm === demoCrm ? 'demo' : 'off'
}
