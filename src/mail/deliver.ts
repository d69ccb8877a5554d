import type { Db } from '../db/base/pool.ts'
import { surely } from '../db/base/surely.ts'
import {
  findMailsToDeliver,
  type MailRow,
  markMailsKept,
  markMailsSent,
  noteMailFailure,
} from '../db/mails.ts'
import type { Counts } from '../lib/counts.ts'
import { Gathering } from '../lib/gathering.ts'
import { traced } from '../lib/watch/traced.ts'
import type { MailData } from '../rules/news/mails.ts'
import { envelopeOf } from './envelope.ts'
import type { MailWatch } from './mail-watch.ts'
import { isRefusedForGood } from './refused.ts'
import { render, renderSubject } from './render.ts'
import type { Letter, Transport } from './transport.ts'

type Work = {
  db: Db
  transport: Transport | null
  host: string
  /** It will not be delivered. */
  giveUp(mail: MailRow): Promise<void>
  watch: MailWatch | null
  counts: Counts
}

type Postman = Work & {
  /** Notes that these are done. What is done at the same moment is one statement. */
  done: Gathering<number[], void>
}

export function makePostman(work: Work): Postman {
  const { db, transport } = work
  const mark = transport ? markMailsSent : markMailsKept
  const done = new Gathering<number[], void>(async group => {
    const ids = group.flatMap(({ item }) => item)
    // A transaction, for its retries: an erasure takes the same rows in another order. What was sent and not noted is sent again.
    await surely(() => db.transaction(tx => tx.last(mark(tx, ids))))
    for (const { resolve } of group) resolve()
  })
  return { ...work, done }
}

/** Delivers those of these mails that are still queued. What could not be delivered is left to the next attempt. */
export async function deliver(postman: Postman, mailIds: number[], isLastAttempt: boolean) {
  const { db, transport, done } = postman
  if (!transport) return done.add(mailIds)
  const mails = await findMailsToDeliver(db, mailIds)
  const sendOne = async (mail: MailRow) => {
    // Erased with its recipient.
    if (!mail.recipient) return
    await send(postman, transport, mail, mail.recipient, isLastAttempt)
  }
  const results = await Promise.allSettled(mails.map(sendOne))
  const failed = results.find(result => result.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Between the server's yes and our note of it lies a moment in which a crash repeats the mail; the same Message-ID lets
 * mail programs show it once.
 */
async function send(
  { db, host, done, giveUp, watch, counts }: Postman,
  transport: Transport,
  mail: MailRow,
  to: string,
  isLastAttempt: boolean,
) {
  try {
    await traced(
      'send mail',
      () => ({ 'holdfast.mail.kind': mail.kind }),
      () => transport.send(asLetter(mail, to, host)),
    )
  } catch (error) {
    watch?.failed(error)
    await noteMailFailure(db, mail.id, (error as Error).message.slice(0, 500))
    const isRefused = isRefusedForGood(error)
    counts.add(`${mail.kind} ${isRefused || isLastAttempt ? 'failed' : 'delayed'}`)
    if (isRefused || isLastAttempt) await giveUp(mail)
    if (isRefused) return
    // The queue keeps what is thrown. It must not name the recipient, whom an erasure would not find there.
    throw new Error(`The mail ${mail.uuid} was not delivered.`)
  }
  watch?.delivered()
  counts.add(`${mail.kind} sent`)
  await done.add([mail.id])
}

/** The mail as it is or was sent: rendering the same row again gives the same bytes. */
export function renderMail({ kind, language, data }: Pick<MailRow, 'kind' | 'language' | 'data'>) {
  return render(kind, language, data as MailData[typeof kind])
}

export function subjectOf({ kind, language, data }: Pick<MailRow, 'kind' | 'language' | 'data'>): string {
  return renderSubject(kind, language, data as MailData[typeof kind])
}

function asLetter(mail: MailRow, to: string, host: string): Letter {
  const { kind, data, uuid } = mail
  const envelope = envelopeOf(kind, data as MailData[typeof kind])
  return { to, kind, messageId: `<${uuid}@${host}>`, envelope, ...renderMail(mail) }
}
