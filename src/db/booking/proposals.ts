import sql from 'sql-template-tag'
import type { Proposal } from '../../entities/appointment.ts'
import { allNamed } from '../../lib/objects.ts'
import { json } from '../base/json.ts'
import type { Queryable } from '../base/pool.ts'

/** Live proposals to this mailbox. Concurrent proposals to one mailbox are counted one after the other. */
export async function countProposalsTo(tx: Queryable, mailbox: string): Promise<number> {
  const { count } = await allNamed({
    locked: tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${mailbox}, 1))`),
    count: tx.value<number>(sql`
      select count(*) from participation
      where proposal ->> 'mailbox' = ${mailbox} and proposal is not null and state = 'RESERVED' and expires_at > app_clock()
    `),
  })
  return count
}

type NewProposal = {
  name: string
  email: string
  mobile: string | null
  message: string | null
  language: string | null
  locale: string | null
  timeZone: string | null
  /** How long the person has from now on. */
  minutes: number
  proposal: Proposal
}

/** Never held beyond the start, and never shorter than before. */
export async function writeProposal(tx: Queryable, participationId: number, proposed: NewProposal) {
  await tx.query(sql`
    update participation set name = ${proposed.name}, email = ${proposed.email}, mobile = ${proposed.mobile}, note = ${proposed.message},
      language = ${proposed.language}, locale = ${proposed.locale}, time_zone = ${proposed.timeZone},
      proposal = ${json(proposed.proposal)}::jsonb,
      expires_at = greatest(expires_at, least(
        date_trunc('milliseconds', app_clock() + make_interval(mins => ${proposed.minutes})),
        (select start_at from appointment where id = appointment_id)
      ))
    where id = ${participationId}
  `)
}

/** The placeholder of the hold, or of the booking made from it. */
export const findProposed = (db: Queryable, participationUuid: string) =>
  db.value<string | null>(sql`select placeholder from participation where uuid = ${participationUuid}`)

/** Holds that agents propose to these addresses, for the people who ask what is kept about them. */
export const placeholdersProposedTo = (
  db: Queryable,
  providerId: number,
  mailboxes: string[],
  emails: string[],
) =>
  db.column<string>(sql`
    select placeholder from (
      select * from participation where proposal ->> 'mailbox' = any (${mailboxes}::text[]) and proposal is not null offset 0
    ) as proposed
    where provider_id = ${providerId} and state = 'RESERVED' and lower(email) = any (${emails}::text[])
  `)
