export * from '../../../web/shared/placeholders.ts'

import { type MailKind, mailKinds, mails } from './emails.ts'

// Paragraphs that a business adds to its emails: those to customers about one time.

export const textKinds: MailKind[] = mailKinds.filter(
  kind => mails[kind].to === 'consumer' && ['booking', 'offer'].includes(mails[kind].data),
)
