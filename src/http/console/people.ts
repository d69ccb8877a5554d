import Type from 'typebox'
import { handOver, invite, invitePerson } from '../../actions/console/people.ts'
import { removeStaff } from '../../actions/setup/staff.ts'
import type { ConsoleCaller } from '../../callers.ts'
import { findCrmById } from '../../db/setup/crms.ts'
import { listPeople, type PersonRow } from '../../db/setup/staff.ts'
import { findUserByUuid } from '../../db/setup/users.ts'
import { missingField, notFound } from '../../errors.ts'
import { languages } from '../../languages.ts'
import { fullName } from '../../rules/people/contacts.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import {
  Choice,
  Email,
  EmailText,
  isUuid,
  Moment,
  Optional,
  OptionalText,
  Reference,
  Uuid,
} from '../wire/fields.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { ownedProviderOf } from './visible.ts'

const PersonRecord = Type.Object(
  {
    uuid: Uuid,
    reference: Type.String(),
    name: Type.String(),
    email: Nullable(EmailText),
    role: Choice(['owner', 'staff']),
    hasLogin: Type.Boolean({ description: 'They can open the console.' }),
    lastLoginAt: Nullable(Moment),
  },
  { title: 'StaffMember' },
)

const about = { tag: 'Console' } as const
const PeopleReply = Type.Object({ people: Type.Array(PersonRecord) }, { title: 'People' })

export const getPeople = consoleRoute({
  ...about,
  method: 'GET',
  path: '/console/api/providers/:uuid/people',
  operationId: 'listPeople',
  summary: 'Who works for a Provider',
  description: 'Its staff, and whether they have a login for the console.',
  replies: { 200: PeopleReply },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const { id } = await ownedProviderOf(service, caller, params.uuid)
    return answer(200, await peopleOf(service, id))
  },
})

export const postPerson = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/providers/:uuid/people',
  operationId: 'invitePerson',
  summary: 'Invite somebody',
  description:
    'By `userReference` a User of the CRM, or by `email` and `lastName` somebody new. They join the staff and get a mail with a link that opens the console.',
  body: Type.Object(
    {
      userReference: Optional(Reference),
      email: Optional(Email),
      firstName: OptionalText(),
      lastName: OptionalText(),
      language: Optional(Choice([...languages])),
    },
    { title: 'PersonInput' },
  ),
  replies: { 201: PeopleReply },
  errors: ['not-found', 'email-exists', 'username-exists'],
  async handle({ params, body, caller, service }) {
    const provider = await ownedProviderOf(service, caller, params.uuid)
    const crm = (await findCrmById(service.db, provider.crmId))!
    await invitePerson(service, { crm, actor: caller.actor }, provider, whom(body, provider.language))
    return answer(201, await peopleOf(service, provider.id))
  },
})

export const invitePersonAgain = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/providers/:uuid/people/:userUuid/invite',
  operationId: 'invitePersonAgain',
  summary: 'Send somebody a new link',
  description: 'The links before it end.',
  replies: { 204: null },
  errors: ['not-found', 'email-exists'],
  async handle({ params, caller, service }) {
    const { provider, user } = await personOf(service, caller, params)
    await invite(service, provider, user)
    return noContent()
  },
})

export const makeOwner = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/providers/:uuid/people/:userUuid/owner',
  operationId: 'makeOwner',
  summary: 'Hand the Provider over',
  description: 'Somebody else of the staff owns it from now on.',
  replies: { 200: PeopleReply },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const { provider, user } = await personOf(service, caller, params)
    await handOver(service, caller.actor, provider, user)
    return answer(200, await peopleOf(service, provider.id))
  },
})

export const deletePerson = consoleRoute({
  ...about,
  method: 'DELETE',
  path: '/console/api/providers/:uuid/people/:userUuid',
  operationId: 'removePerson',
  summary: 'Remove somebody from the staff',
  description: 'Their sessions end. Who works for no other Provider loses the login. The owner stays: 409.',
  replies: { 204: null },
  errors: ['not-found', 'owner'],
  async handle({ params, caller, service }) {
    const { provider, user } = await personOf(service, caller, params)
    await removeStaff(service, caller.actor, provider, user.reference!)
    return noContent()
  },
})

type Body = {
  userReference?: string | null
  email?: string | null
  lastName?: string | null
  firstName?: string | null
  language?: (typeof languages)[number] | null
}

function whom(body: Body, language: (typeof languages)[number]) {
  if (body.userReference) return { userReference: body.userReference }
  if (!body.email) throw missingField('email')
  if (!body.lastName?.trim()) throw missingField('lastName')
  const { email, lastName, firstName } = body
  return { email, lastName, firstName: firstName ?? null, language: body.language ?? language }
}

async function personOf(
  service: Service,
  caller: ConsoleCaller,
  { uuid, userUuid }: { uuid: string; userUuid: string },
) {
  const provider = await ownedProviderOf(service, caller, uuid)
  const user = isUuid(userUuid) ? await findUserByUuid(service.db, userUuid) : null
  const people = user ? await listPeople(service.db, provider.id) : []
  if (!user || !people.some(one => one.uuid === user.uuid)) throw notFound('Staff member', userUuid)
  return { provider, user }
}

async function peopleOf({ db }: Service, providerId: number) {
  return { people: (await listPeople(db, providerId)).map(personRecord) }
}

const personRecord = (row: PersonRow): Type.Static<typeof PersonRecord> => ({
  uuid: row.uuid,
  reference: row.reference!,
  name: fullName(row),
  email: row.email,
  role: row.isOwner ? 'owner' : 'staff',
  hasLogin: row.hasLogin,
  lastLoginAt: row.lastLoginAt === null ? null : toUtcText(row.lastLoginAt),
})
