import type { MailRow } from '../db/mails.ts'
import type { Language } from '../languages.ts'
import type { MessageData, MessageKind } from '../rules/messages/messages.ts'

// A channel consists of a renderer and a sender.

/** A message as a channel sends it and the console shows it. */
export type Rendered = {
  subject: string
  text: string
  html: string
  ics: { method: 'REQUEST' | 'CANCEL'; content: string } | null
}

/** Prints a message for one channel. Pure: the same input gives the same bytes. */
export type Renderer = <K extends MessageKind>(
  kind: K,
  language: Language,
  data: MessageData[K],
  /** What the business adds, in Markdown. */
  ownText?: string | null,
) => Rendered

/** Hands the messages of one channel to what carries them further, such as a mail server. */
export type Sender = {
  /** Resolves once the message was accepted. */
  send(message: MailRow, to: string): Promise<void>
  /** A retry will not change the refusal. */
  isPermanentRefusal(error: unknown): boolean
  /** Notices when nothing is accepted any more. */
  watch: { failed(error: unknown): void; delivered(): void } | null
}
