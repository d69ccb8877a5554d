import type { Db } from '../db/base/pool.ts'
import { retryUntilKnown } from '../db/base/transactions.ts'
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
import type { Channel } from '../rules/messages/messages.ts'
import { AcceptedEmails } from './accepted.ts'
import type { Sender } from './channel.ts'

type Work = {
  db: Db
  channel: Channel
  /** Without one, messages are kept and can be read in the console. */
  sender: Sender | null
  /** Marks the message as undeliverable. */
  giveUp(message: MailRow): Promise<void>
  outcomes: Metrics['mails']
}

export type Deliverer = Work & {
  /** Marks messages as done, batching concurrent calls into one statement. */
  done: Batcher<number[], void>
  accepted: AcceptedEmails
}

export function makeDeliverer(work: Work): Deliverer {
  const { db, sender } = work
  const mark = sender ? markMailsSent : markMailsKept
  // In a transaction, because those are retried: an erasure locks the same rows in another order.
  const record = (ids: number[]) => db.transaction(tx => tx.last(mark(tx, ids)))
  const done = new Batcher<number[], void>(async group => {
    const ids = group.flatMap(({ item }) => item)
    await retryUntilKnown(() => record(ids))
    for (const { resolve } of group) resolve()
  })
  return { ...work, done, accepted: new AcceptedEmails(record) }
}

/** Delivers those of these messages that are still queued. Failures are left to the next attempt. */
export async function deliver(
  deliverer: Deliverer,
  mailIds: number[],
  { jobId, isLastAttempt }: { jobId: string; isLastAttempt: boolean },
) {
  const { db, channel, sender, done, accepted } = deliverer
  if (!sender) {
    await done.add(mailIds)
    return deliverLater(db, channel, mailIds)
  }
  const mails = await findMailsToDeliver(db, mailIds)
  const sendOne = async (mail: MailRow) => {
    // Erased together with its recipient.
    if (!mail.recipient) return
    if (!accepted.has(jobId, mail.uuid)) {
      if (!(await isSent(deliverer, sender, mail, mail.recipient, isLastAttempt))) return
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
  if (mails.length < mailIds.length) await deliverLater(db, channel, mailIds)
}

/** A crash between the acceptance and our record of it sends the message twice. */
async function isSent(
  { db, giveUp, outcomes }: Deliverer,
  { send, isPermanentRefusal, watch }: Sender,
  mail: MailRow,
  to: string,
  isLastAttempt: boolean,
): Promise<boolean> {
  try {
    await traced(
      'send mail',
      () => ({ 'holdfast.mail.kind': mail.kind }),
      () => send(mail, to),
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
