import Type from 'typebox'
import { createUser as create } from '../../actions/setup/create-user.ts'
import { findUser, type UserRow } from '../../db/setup/users.ts'
import { notFound } from '../../errors.ts'
import { pickLanguage } from '../../languages.ts'
import { usernamePattern } from '../../rules/references.ts'
import { Email, EmailText, OptionalText, Reference, ruleText, Text } from '../wire/fields.ts'
import { answer, crmRoute } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'

const UserInput = Type.Object(
  {
    reference: Reference,
    email: Email,
    username: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: usernamePattern,
      ...ruleText('not contain any of / ? : & # \\'),
    }),
    lastName: Text(),
    firstName: OptionalText(),
    phone: OptionalText(100),
    mobile: OptionalText(100),
  },
  { title: 'UserInput' },
)

export const UserRecord = Type.Object(
  {
    reference: Type.String(),
    email: EmailText,
    username: Type.String(),
    firstName: Nullable(Type.String()),
    lastName: Type.String(),
    phone: Nullable(Type.String()),
    mobile: Nullable(Type.String()),
  },
  { title: 'User' },
)

const UserReply = Wrapped({ user: UserRecord })

export const createUser = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/user',
  operationId: 'createUser',
  tag: 'A. Setup',
  scope: 'setup',
  summary: 'Create User',
  description:
    'If the reference exists, updates names and numbers (200). If another User has the email, a numbered variant is used. If the email belongs to a person who has booked before, the reference is attached to that person (200). The language of emails comes from the cookie PLAY_LANG, otherwise from the CRM.',
  body: UserInput,
  replies: { 200: UserReply, 201: UserReply },
  errors: ['email-exists', 'username-exists'],
  async handle({ body, caller, service, request }) {
    const language = pickLanguage(request.cookies.PLAY_LANG, caller.crm.language ?? service.config.language)
    const { user, created } = await create(service, caller, body, language)
    return answer(created ? 201 : 200, wrap({ user: userRecord(user) }))
  },
})

export const getUser = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/user/:reference',
  operationId: 'getUser',
  tag: 'A. Setup',
  scope: 'setup',
  summary: 'Get User',
  description: 'Returns 404 if the CRM has no User with this reference.',
  replies: { 200: UserReply },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const user = await findUser(service.db, caller.crm.id, params.reference)
    if (!user) throw notFound('User', params.reference)
    return answer(200, wrap({ user: userRecord(user) }))
  },
})

export function userRecord(user: UserRow) {
  return {
    reference: user.reference ?? '',
    email: user.email ?? '',
    username: user.username ?? '',
    firstName: user.firstName,
    lastName: user.lastName ?? '',
    phone: user.phone,
    mobile: user.mobile,
  }
}
