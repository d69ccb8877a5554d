import Type from 'typebox'
import {
  changeEmailTexts,
  emailTextsOf,
  previewOf,
  type TextsOfKind,
} from '../../../actions/setup/email-texts.ts'
import { listEmailTexts } from '../../../db/email-texts.ts'
import { notFound } from '../../../errors.ts'
import { languages } from '../../../languages.ts'
import { type MessageKind, maxEmailText, placeholders, textKinds } from '../../../rules/messages/messages.ts'
import { Choice } from '../../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../../wire/if-match.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { providerInPath } from '../subjects.ts'

const path = '/console/api/providers/:uuid/email-texts'

const Content = Nullable(
  Type.String({
    maxLength: maxEmailText,
    description:
      'Markdown: paragraphs, **bold**, *italics*, lists, and links to pages, email addresses (mailto:) and phone numbers (tel:). All else, also HTML and images, is shown as text. Placeholders are in braces, such as {customer}.',
  }),
)

const byLanguage = Object.fromEntries(languages.map(one => [one, Content])) as Record<
  (typeof languages)[number],
  typeof Content
>
const Kind = Choice(textKinds, { description: 'The kind of email.' })
const EmailTexts = Type.Object(
  { kind: Kind, ...byLanguage },
  { title: 'EmailTexts', description: 'Null: the email in this language has no text of the business.' },
)

function kindIn({ kind }: { kind: string }): MessageKind {
  if (!textKinds.includes(kind as MessageKind)) throw notFound('kind of email with texts', kind)
  return kind as MessageKind
}

const recordOf = (kind: MessageKind) => (texts: TextsOfKind) => ({ kind, ...texts })

export const getAllEmailTexts = consoleRoute({
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  method: 'GET',
  path,
  operationId: 'listEmailTexts',
  summary: 'List texts of emails',
  description:
    'Paragraphs that the business adds to its emails to customers, below the details of the appointment.',
  replies: {
    200: Type.Object(
      {
        kinds: Type.Array(EmailTexts, { description: 'All kinds of emails that can have a text.' }),
        placeholders: Type.Array(
          Type.Object({ name: Choice(Object.keys(placeholders)), meaning: Type.String() }),
          {
            description: 'Names that may be used in braces. A value that is unknown is left out.',
          },
        ),
        maxLength: Type.Integer({ description: 'Characters that a text may have.' }),
      },
      { title: 'EmailTextList' },
    ),
  },
  async handle({ service, found: provider }) {
    const texts = await listEmailTexts(service.db, provider.id)
    const textOf = (kind: MessageKind, language: string) =>
      texts.find(one => one.kind === kind && one.language === language)?.text ?? null
    const kinds = textKinds.map(kind =>
      recordOf(kind)(Object.fromEntries(languages.map(one => [one, textOf(kind, one)])) as TextsOfKind),
    )
    const names = Object.entries(placeholders).map(([name, meaning]) => ({ name, meaning }))
    return { kinds, placeholders: names, maxLength: maxEmailText }
  },
})

export const getEmailTexts = consoleRoute({
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  method: 'GET',
  path: `${path}/:kind`,
  operationId: 'getEmailTexts',
  summary: 'Get the texts of an email',
  description:
    'What the business adds to this kind of email, by language. `PATCH` accepts the ETag as If-Match.',
  replies: { 200: EmailTexts },
  async handle({ params, service, reply, found: provider }) {
    const kind = kindIn(params)
    return withEtag(reply, recordOf(kind)(await emailTextsOf(service.db, provider.id, kind)))
  },
})

export const patchEmailTexts = consoleRoute({
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  method: 'PATCH',
  path: `${path}/:kind`,
  operationId: 'updateEmailTexts',
  summary: 'Change the texts of an email',
  description:
    'Changes only the languages that are sent; null or an empty text removes the text. A text is shown only in emails in its language, from now on: emails that are already queued stay as they are. Unknown placeholders, links with placeholders, and links to anything but pages, email addresses and phone numbers are refused.',
  headers: IfMatch,
  body: Type.Partial(Type.Object(byLanguage), { title: 'EmailTextsChange' }),
  replies: { 200: EmailTexts },
  async handle({ params, body, request, reply, context }) {
    const kind = kindIn(params)
    const check = ifUnchanged(request, recordOf(kind))
    const saved = await changeEmailTexts(context, kind, body, check)
    return withEtag(reply, recordOf(kind)(saved))
  },
})

export const previewEmailText = consoleRoute({
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  method: 'POST',
  path: `${path}/:kind/preview`,
  operationId: 'previewEmailText',
  summary: 'Preview an email with a text',
  description: 'The email as a customer would receive it, about an invented booking. Saves nothing.',
  body: Type.Object({ language: Choice(languages), text: Content }, { title: 'EmailTextPreviewInput' }),
  replies: {
    200: Type.Object(
      { subject: Type.String(), text: Type.String(), html: Type.String() },
      { title: 'EmailTextPreview' },
    ),
  },
  async handle({ params, body, service, found: provider }) {
    const { subject, text, html } = await previewOf(service, provider, { kind: kindIn(params), ...body })
    return { subject, text, html }
  },
})
