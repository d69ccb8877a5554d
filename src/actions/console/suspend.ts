import { queueMailsOf } from '../../db/mails.ts'
import { resumeCrm, suspendCrm } from '../../db/setup/suspensions.ts'
import type { Service } from '../../service.ts'

/**
 * Bookings, API calls, emails and webhooks of the CRM stop until it is resumed. False: it was already
 * suspended.
 */
export const suspend = ({ db }: Pick<Service, 'db'>, crmId: number) => suspendCrm(db, crmId)

/** Emails that were on hold get their jobs back. False: there was nothing to resume. */
export const resume = ({ db }: Pick<Service, 'db'>, crmId: number) =>
  db.transaction(async tx => {
    const isResumed = await resumeCrm(tx, crmId)
    if (isResumed) await queueMailsOf(tx, crmId)
    return isResumed
  })
