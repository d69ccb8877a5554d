import type { Queryable } from '../../db/base/pool.ts'
import { countToday } from '../../db/setup/invitations.ts'
import { tooManyRequests } from '../../errors.ts'
import { pseudonym } from '../../lib/pseudonym.ts'
import { mailboxOf } from '../../rules/people/clients.ts'
import type { Service } from '../../service.ts'

const maxForAddress = 10
const maxForCrm = 100

/** Keeps a CRM from flooding mailboxes. Counted per CRM, so that none uses up the invitations of another. */
export async function countInvitation(tx: Queryable, { signer }: Service, crmId: number, email: string) {
  const mailbox = pseudonym(signer.key('client'), mailboxOf(email))
  const limits = [
    { name: `invitation:${crmId}`, max: maxForCrm },
    { name: `invitation:${crmId}:${mailbox}`, max: maxForAddress },
  ]
  for (const { name, max } of limits) {
    const { hits, wait } = await countToday(tx, name)
    if (hits > max) throw tooManyRequests(Math.max(1, wait))
  }
}
