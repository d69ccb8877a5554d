import Type from 'typebox'
import { sendAgain } from '../../actions/console/operator.ts'
import { listMails } from '../../db/mail-list.ts'
import { findMail, type MailRow, mailStates } from '../../db/mails.ts'
import { notFound } from '../../errors.ts'
import { renderMessage, subjectOf, withoutLinksFor } from '../../messages/render.ts'
import { messageKinds } from '../../rules/messages/messages.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { Choice, EmailText, isUuid, Moment, Uuid } from '../wire/fields.ts'
import { consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { mailInPath } from './subjects.ts'

const summary = {
  uuid: Uuid,
  kind: Choice(messageKinds),
  to: Nullable(EmailText),
  language: Type.String(),
  subject: Nullable(Type.String()),
  state: Choice(mailStates, { description: 'kept: no mail server is configured.' }),
  attempts: Type.Number(),
  lastError: Nullable(Type.String()),
  createdAt: Moment,
  sentAt: Nullable(Moment),
}

const MailSummary = Type.Object(summary, { title: 'MailSummary' })
const MailRecord = Type.Object(
  {
    ...summary,
    text: Nullable(Type.String()),
    html: Nullable(Type.String()),
    ics: Nullable(Type.Object({ method: Type.String(), content: Type.String() })),
  },
  { title: 'Mail' },
)

export const getMails = consoleRoute({
  method: 'GET',
  path: '/console/api/mails',
  operationId: 'listMails',
  access: { right: 'mails', whose: 'everywhere' },
  summary: 'List emails, newest first',
  description: 'For the next page, send the uuid of the last email as `before`.',
  query: {
    state: Type.Optional(Choice(mailStates, { description: 'Only emails in this state.' })),
    kind: Type.Optional(Choice(messageKinds, { description: 'Only emails of this kind.' })),
    to: Type.Optional(Type.String({ description: 'Only emails to this address.' })),
    before: Type.Optional(Type.String({ description: 'uuid of the last email of the previous page.' })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Emails per page.' }),
  },
  replies: { 200: Type.Object({ mails: Type.Array(MailSummary), next: Nullable(Type.String()) }) },
  errors: ['not-found'],
  async handle({ query, service, found: providerIds }) {
    const { before, limit, ...filter } = query
    const last = before ? await mailAmong(service, before, providerIds) : null
    const rows = await listMails(service.db, {
      ...filter,
      providerIds,
      before: last?.id,
      limit,
    })
    const next = rows.length === limit ? rows.at(-1)!.uuid : null
    return { mails: rows.map(mailSummary), next }
  },
})

export const getMail = consoleRoute({
  method: 'GET',
  path: '/console/api/mails/:uuid',
  operationId: 'getMail',
  access: { right: 'mails', whose: mailInPath },
  summary: 'Get an email',
  description:
    'Subject, text, HTML and calendar part. Null if the recipient was erased. Links meant only for the recipient are hidden.',
  replies: { 200: MailRecord },
  async handle({ caller, service, found: mail }) {
    const rendered = mail.recipient === null ? erased : renderMessage(withoutLinksFor(service, caller, mail))
    return { ...mailSummary(mail), ...rendered }
  },
})

export const resendMail = consoleRoute({
  method: 'POST',
  path: '/console/api/mails/:uuid/resend',
  operationId: 'resendMail',
  access: { right: 'book', whose: mailInPath },
  summary: 'Send an email again',
  description: 'Adds the email to the queue again.',
  replies: { 200: MailSummary },
  async handle({ service, found: mail }) {
    await sendAgain(service, mail)
    return mailSummary((await findMail(service.db, mail.uuid))!)
  },
})

const erased = { text: null, html: null, ics: null }

async function mailAmong({ db }: Service, uuid: string, providerIds: number[] | null) {
  const mail = isUuid(uuid) ? await findMail(db, uuid) : null
  const isShown = providerIds === null || providerIds.includes(mail?.providerId ?? 0)
  if (!mail || !isShown) throw notFound('Mail', uuid)
  return mail
}

function mailSummary(mail: MailRow) {
  return {
    uuid: mail.uuid,
    kind: mail.kind,
    to: mail.recipient,
    language: mail.language,
    subject: mail.recipient === null ? null : subjectOf(mail),
    state: mail.state,
    attempts: mail.attempts,
    lastError: mail.lastError,
    createdAt: toUtcText(mail.createdAt),
    sentAt: mail.sentAt === null ? null : toUtcText(mail.sentAt),
  }
}
