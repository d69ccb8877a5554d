import sql from 'sql-template-tag'
import { participation } from '../../entities/appointment.ts'
import { customer } from '../../entities/customer.ts'
import { user } from '../../entities/user.ts'
import { erasure } from '../base/columns.ts'
import type { Queryable } from '../base/pool.ts'
import { RestartTransaction } from '../base/postgres-errors.ts'
import { eraseAnswers } from '../deliveries.ts'
import { emptied } from '../mails.ts'
import { eraseMirrored } from './calendar-mirrors.ts'
import { type CustomerRow, isExpected, isParticipationOf } from './customers.ts'
import { deleteDistinctOf } from './duplicates.ts'
import { eraseFromImports } from './imports.ts'
import { forgetMerges } from './merges.ts'
import { deleteEntriesOf, eraseEntryMails } from './waiting-entries.ts'

// Erases a person: removes all identifying data from every table and keeps anonymous records of their visits.

/** Returns the Appointments in which their details stood. */
export async function eraseCustomer(tx: Queryable, row: CustomerRow): Promise<number[]> {
  const erased = await eraseParticipations(tx, row)
  const participations = erased.map(one => one.id)
  await restartIfExpected(tx, participations)
  await eraseMails(tx, participations)
  await eraseMirrored(tx, participations)
  await eraseWaiting(tx, row)
  await eraseAnswers(tx, row.providerId)
  await deleteDistinctOf(tx, row.id)
  const { name, email, mobile, reference, formerEmails } = row
  const texts = [name, email, mobile, reference, ...formerEmails].filter(one => one !== null)
  await eraseFromImports(tx, row, texts)
  await tx.query(sql`
    update customer set reference = 'erased-' || uuid, ${erasure(customer)}, user_id = null, erased_at = app_clock()
    where id = ${row.id}
  `)
  const merged = await forgetMerges(tx, row.id)
  for (const userId of [row.userId, ...merged]) if (userId !== null) await eraseConsumer(tx, userId)
  return [...new Set(erased.map(one => one.appointmentId))]
}

const eraseParticipations = (tx: Queryable, row: CustomerRow) =>
  tx.query<{ id: number; appointmentId: number }>(sql`
    update participation set ${erasure(participation)} where ${isParticipationOf(row)}
    returning id, appointment_id
  `)

/** One was restored while its lock was awaited, so it must be cancelled first. */
async function restartIfExpected(tx: Queryable, participations: number[]) {
  const expected = await tx.query(sql`
    select from (select * from participation where id = any (${participations}::bigint[]) offset 0) as participation
    cross join lateral (select * from appointment where id = appointment_id offset 0) as appointment
    where ${isExpected} limit 1
  `)
  if (expected.length > 0) throw new RestartTransaction()
}

// The email about the cancellation is still to be sent; its content is deleted afterwards.
async function eraseMails(tx: Queryable, participations: number[]) {
  await tx.query(sql`
    update mail set ${emptied}
    where participation_id = any (${participations}) and not erase_when_done
  `)
}

/** What they waited for, and the emails about it. Offers are held by Participations, which are erased above. */
async function eraseWaiting(tx: Queryable, { id, providerId, email, formerEmails }: CustomerRow) {
  await eraseEntryMails(tx, providerId, [...(email ? [email] : []), ...formerEmails])
  await deleteEntriesOf(tx, id)
}

/** A consumer who is neither a User of the CRM nor a Customer of another Provider. */
async function eraseConsumer(tx: Queryable, userId: number) {
  await tx.query(sql`
    update app_user set ${erasure(user)}
    where id = ${userId} and reference is null and not exists (select from customer where user_id = ${userId})
  `)
}
