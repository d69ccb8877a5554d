import type { Db } from '../db/base/pool.ts'
import { retryUntilKnown } from '../db/base/retry-until-known.ts'
import {
  deliverLater,
  findMailsToDeliver,
  type MailRow,
  markMailsKept,
  markMailsSent,
  recordMailFailure,
} from '../db/mails.ts'
import { Batcher } from '../lib/batcher.ts'
import type { Metrics } from '../lib/watch/metrics.ts'
import { traced } from '../lib/watch/traced.ts'
import type { MailData } from '../rules/messages/emails.ts'
import { AcceptedEmails } from './accepted-emails.ts'
import { envelopeOf } from './envelope.ts'
import type { MailWatch } from './mail-watch.ts'
import { render, renderSubject } from './render.ts'
import { isPermanentRefusal } from './smtp-failures.ts'
import type { Message, Transport } from './transport.ts'

type Work = {
  db: Db
  transport: Transport | null
  host: string
  /** Marks the email as undeliverable. */
  giveUp(mail: MailRow): Promise<void>
  watch: MailWatch | null
  outcomes: Metrics['mails']
}

export type Deliverer = Work & {
  /** Marks emails as done, batching concurrent calls into one statement. */
  done: Batcher<number[], void>
  accepted: AcceptedEmails
}

export function makeDeliverer(work: Work): Deliverer {
  const { db, transport } = work
  const mark = transport ? markMailsSent : markMailsKept
  // In a transaction, because those are retried: an erasure locks the same rows in another order.
  const record = (ids: number[]) => db.transaction(tx => tx.last(mark(tx, ids)))
  const done = new Batcher<number[], void>(async group => {
    const ids = group.flatMap(({ item }) => item)
    await retryUntilKnown(() => record(ids))
    for (const { resolve } of group) resolve()
  })
  return { ...work, done, accepted: new AcceptedEmails(record) }
}

/** Delivers those of these emails that are still queued. Failures are left to the next attempt. */
export async function deliver(
  deliverer: Deliverer,
  mailIds: number[],
  { jobId, isLastAttempt }: { jobId: string; isLastAttempt: boolean },
) {
  const { db, transport, done, accepted } = deliverer
  if (!transport) {
    await done.add(mailIds)
    return deliverLater(db, mailIds)
  }
  const mails = await findMailsToDeliver(db, mailIds)
  const sendOne = async (mail: MailRow) => {
    // Erased together with its recipient.
    if (!mail.recipient) return
    if (!accepted.has(jobId, mail.uuid)) {
      if (!(await isSent(deliverer, transport, mail, mail.recipient, isLastAttempt))) return
      accepted.add(jobId, mail.uuid)
    }
    await done.add([mail.id]).catch(error => {
      accepted.recordLater(mail.id)
      throw error
    })
  }
  const results = await Promise.allSettled(mails.map(sendOne))
  const failed = results.find(result => result.status === 'rejected')
  if (failed) throw failed.reason
  if (mails.length < mailIds.length) await deliverLater(db, mailIds)
}

/**
 * A crash between the server's acceptance and our record of it sends the email twice; the same Message-ID
 * lets mail programs show it once.
 */
async function isSent(
  { db, host, giveUp, watch, outcomes }: Deliverer,
  transport: Transport,
  mail: MailRow,
  to: string,
  isLastAttempt: boolean,
): Promise<boolean> {
  try {
    await traced(
      'send mail',
      () => ({ 'holdfast.mail.kind': mail.kind }),
      () => transport.send(toMessage(mail, to, host)),
    )
  } catch (error) {
    watch?.failed(error)
    await recordMailFailure(db, mail.id, (error as Error).message.slice(0, 500))
    const isRefused = isPermanentRefusal(error)
    outcomes.inc({ kind: mail.kind, outcome: isRefused || isLastAttempt ? 'failed' : 'delayed' })
    if (isRefused || isLastAttempt) await giveUp(mail)
    if (isRefused) return false
    // The job queue stores this message. It must not name the recipient, because an erasure would not find it
    // there.
    throw new Error(`The mail ${mail.uuid} was not delivered.`)
  }
  watch?.delivered()
  outcomes.inc({ kind: mail.kind, outcome: 'sent' })
  return true
}

/** The email as it is or was sent: rendering the same row gives the same bytes. */
export function renderMail(mail: Pick<MailRow, 'kind' | 'language' | 'data' | 'ownText'>) {
  const { kind, language, data, ownText } = mail
  return render(kind, language, data as MailData[typeof kind], ownText)
}

export function subjectOf({ kind, language, data }: Pick<MailRow, 'kind' | 'language' | 'data'>): string {
  return renderSubject(kind, language, data as MailData[typeof kind])
}

function toMessage(mail: MailRow, to: string, host: string): Message {
  const { kind, data, uuid } = mail
  const envelope = envelopeOf(kind, data as MailData[typeof kind])
  return { to, kind, messageId: `<${uuid}@${host}>`, envelope, ...renderMail(mail) }
}
