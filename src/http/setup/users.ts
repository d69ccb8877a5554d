import Type from 'typebox'
import { lockUserRecord } from '../../actions/setup/lock-records.ts'
import { changeUser, createUser as create, deleteUser as remove } from '../../actions/setup/users.ts'
import { findUser, listUsers, type UserRow } from '../../db/setup/users.ts'
import { user } from '../../entities/user.ts'
import { notFound } from '../../errors.ts'
import { pickLanguage } from '../../languages.ts'
import { pageOf, pageQuery, readPage } from '../wire/pages.ts'
import { answer, crmRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('A. Setup')

const UserInput = Type.Object(user.inputs, { title: 'UserInput' })
export const UserRecord = Type.Object(user.outputs, { title: 'User' })
const UserReply = Wrapped({ user: UserRecord })

export const createUser = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/user',
  operationId: 'createUser',
  summary: 'Create User',
  description:
    'If the reference exists, updates names and numbers (200). If another User has the email, a numbered variant is used. If the email belongs to a person who has booked before, the reference is attached to that person (200). The language of emails comes from the cookie PLAY_LANG, otherwise from the CRM.',
  body: UserInput,
  replies: { 200: UserReply, 201: UserReply },
  errors: ['email-exists', 'username-exists'],
  async handle({ body, caller, service, request }) {
    const language = pickLanguage(request.cookies.PLAY_LANG, caller.crm.language ?? service.config.language)
    const made = await create(service, caller, body, language)
    return answer(made.created ? 201 : 200, wrap({ user: userRecord(made.user) }))
  },
})

export const getUser = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/user/:reference',
  operationId: 'getUser',
  summary: 'Get User',
  description: 'Returns 404 if the CRM has no User with this reference.',
  isRecord: true,
  replies: { 200: UserReply },
  async handle({ params, caller, service }) {
    const found = await findUser(service.db, caller.crm.id, params.reference)
    if (!found) throw notFound('User', params.reference)
    return wrap({ user: userRecord(found) })
  },
})

const { firstName, lastName, phone, mobile } = user.inputs

export const updateUser = crmRoute({
  method: 'PUT',
  path: '/crms/:crmId/user/:reference',
  operationId: 'updateUser',
  summary: 'Update User',
  description:
    'Changes only the fields that are sent; null clears an optional field. Reference, email and username stay, because the login belongs to them.',
  body: Type.Partial(Type.Object({ firstName, lastName, phone, mobile }), { title: 'UserUpdate' }),
  ifMatch: { record: getUser, lock: lockUserRecord },
  replies: { 200: UserReply },
  async handle({ params, body, caller, service }) {
    const saved = await changeUser(service, caller, params.reference, body)
    return wrap({ user: userRecord(saved) })
  },
})

export const deleteUser = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/user/:reference',
  operationId: 'deleteUser',
  summary: 'Delete User',
  description:
    'Refused while the User owns an Account or Provider (`owner`), or is staff, or the contact of a Resource or of an upcoming Appointment (`in-use`). A person who has booked stays a Customer.',
  ifMatch: { record: getUser, lock: lockUserRecord },
  replies: { 204: null },
  errors: ['owner', 'in-use'],
  handle: ({ params, caller, service }) => remove(service, caller, params.reference),
})

export const getUsers = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/user',
  operationId: 'getUsers',
  summary: 'Get Users',
  description: 'All Users of the CRM that have a reference. People who have only booked are not among them.',
  query: pageQuery,
  replies: { 200: Type.Array(UserRecord) },
  isList: true,
  async handle({ query, caller, service, request, reply }) {
    const rows = await listUsers(service.db, caller.crm.id, readPage(query, 1))
    const page = pageOf({ service, request, reply, query }, rows, row => [row.id])
    return page.map(userRecord)
  },
})

export function userRecord(row: UserRow) {
  const { reference, email, username, lastName } = row
  const texts = {
    reference: reference ?? '',
    email: email ?? '',
    username: username ?? '',
    lastName: lastName ?? '',
  }
  return user.record({ ...row, ...texts })
}
