import {
  findMailToDeliver,
  giveUpMail,
  type MailRow,
  markMailKept,
  markMailSent,
  noteMailFailure,
} from '../db/mails.ts'
import type { Db } from '../db/pool.ts'
import type { MailData } from './kinds.ts'
import { render } from './render.ts'
import type { Letter, Transport } from './transport.ts'

type Delivery = { db: Db; transport: Transport | null; host: string }

/**
 * Delivers one queued mail. Between the server's yes and our note of it lies a moment in which a crash repeats the
 * mail; the same Message-ID lets mail programs show it once.
 */
export async function deliver({ db, transport, host }: Delivery, mailId: number, isLastAttempt: boolean) {
  if (!transport) return markMailKept(db, mailId)
  const mail = await findMailToDeliver(db, mailId)
  // Sent by an earlier attempt, or erased with its recipient.
  if (!mail?.recipient) return
  try {
    await transport.send(asLetter(mail, mail.recipient, host))
  } catch (error) {
    await noteMailFailure(db, mail.id, (error as Error).message.slice(0, 500))
    if (isLastAttempt) await giveUpMail(db, mail.id)
    // The queue keeps what is thrown. It must not name the recipient, whom an erasure would not find there.
    throw new Error(`The mail ${mail.uuid} was not delivered.`)
  }
  await markMailSent(db, mail.id)
}

/** The mail as it is or was sent: rendering the same row again gives the same bytes. */
export function renderMail({ kind, language, data }: Pick<MailRow, 'kind' | 'language' | 'data'>) {
  return render(kind, language, data as MailData[typeof kind])
}

function asLetter(mail: MailRow, to: string, host: string): Letter {
  return { to, kind: mail.kind, messageId: `<${mail.uuid}@${host}>`, ...renderMail(mail) }
}
