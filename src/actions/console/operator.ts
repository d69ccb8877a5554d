import { runJobAgain } from '../../db/base/jobs.ts'
import { queueCancellations } from '../../db/cancellations.ts'
import { queueImports } from '../../db/import-jobs.ts'
import { queueMailsOf, requeueMail } from '../../db/mails.ts'
import { ensureCrm } from '../../db/setup/crms.ts'
import { resumeCrm, suspendCrm } from '../../db/setup/suspensions.ts'
import { invalidField, notFound } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import { isCrmName } from '../../rules/references.ts'
import type { Service } from '../../service.ts'

// Actions of operators.

/** A known name changes nothing. */
export async function openCrm({ db }: Service, name: string, language: Language | null) {
  if (!isCrmName(name)) throw invalidField('name', 'crm-name')
  await ensureCrm(db, name, language)
}

/** Runs the job at once, with all its attempts available again. */
export async function repeatJob({ db }: Service, id: string) {
  const isKnown = /^\d{1,18}$/.test(id) && (await runJobAgain(db, id))
  if (!isKnown) throw notFound('job that waits', id)
}

/** Queues the email again, unless its recipient has been erased. */
export async function sendAgain(
  { db }: Service,
  mail: { id: number; uuid: string; recipient: string | null },
) {
  if (mail.recipient === null) throw notFound('Mail', mail.uuid)
  await requeueMail(db, mail.id)
}

/**
 * Bookings, API calls, emails and webhooks of the CRM stop until it is resumed. False: it was already
 * suspended.
 */
export const suspend = ({ db }: Pick<Service, 'db'>, crmId: number) => suspendCrm(db, crmId)

/** Emails, cancellations and imports that were on hold get their jobs back. False: there was nothing to resume. */
export const resume = ({ db }: Pick<Service, 'db'>, crmId: number) =>
  db.transaction(async tx => {
    const isResumed = await resumeCrm(tx, crmId)
    if (isResumed) {
      await queueMailsOf(tx, crmId)
      await queueCancellations(tx, crmId)
      await queueImports(tx, crmId)
    }
    return isResumed
  })
