import Type from 'typebox'
import { asUser, isNothing, markOf, settleDetails } from '../../actions/booking/own-details.ts'
import { handOver, invite, invitePerson } from '../../actions/console/people.ts'
import { removeStaff } from '../../actions/setup/staff.ts'
import type { ConsoleCaller } from '../../callers.ts'
import { findOwnDetails } from '../../db/booking/own-details.ts'
import { findCrmById } from '../../db/setup/crms.ts'
import { listPeople, type PersonRow } from '../../db/setup/staff.ts'
import { findUserByUuid } from '../../db/setup/users.ts'
import { changedMeanwhile, missingField, notFound } from '../../errors.ts'
import { languages } from '../../languages.ts'
import { confirmedOnly, fullName } from '../../rules/people/contacts.ts'
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
  Text,
  Uuid,
} from '../wire/fields.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { ownedProviderOf } from './visible.ts'

const Said = Type.Object(
  {
    firstName: Nullable(Type.String()),
    lastName: Nullable(Type.String()),
    mobile: Nullable(Type.String()),
    mark: Type.String({ description: 'To be sent back with the answer: it changes with what was said.' }),
  },
  {
    title: 'UnconfirmedDetails',
    description:
      'What a booking under their address said of them. It is shown to no customer until it is confirmed.',
  },
)

const PersonRecord = Type.Object(
  {
    uuid: Uuid,
    reference: Type.String(),
    name: Type.String(),
    email: Nullable(EmailText),
    role: Choice(['owner', 'staff']),
    hasLogin: Type.Boolean({ description: 'They can open the console.' }),
    lastLoginAt: Nullable(Moment),
    unconfirmed: Nullable(Said),
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
    await invite(service, caller.actor, provider, user)
    return noContent()
  },
})

export const settlePersonDetails = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/providers/:uuid/people/:userUuid/details',
  operationId: 'settlePersonDetails',
  summary: 'Keep or delete what a booking said of somebody',
  description:
    'Anybody can book under anybody’s address. What such a booking said of one of the staff is `unconfirmed`: kept, it is published like the rest; else it is deleted. `409 changed`: something else was said meanwhile.',
  body: Type.Object({ keep: Type.Boolean(), mark: Text(100) }, { title: 'DetailsAnswer' }),
  replies: { 200: PeopleReply },
  errors: ['not-found', 'changed'],
  async handle({ params, body, caller, service }) {
    const { provider, user } = await personOf(service, caller, params)
    const settled = await settleDetails(service, caller.actor, user.uuid, body, asUser)
    if (settled?.kind === 'changed') throw changedMeanwhile('mark')
    return answer(200, await peopleOf(service, provider.id))
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
  const people = await listPeople(db, providerId)
  return {
    people: await Promise.all(people.map(async row => personRecord(row, await saidOf(db, row)))),
  }
}

/** Few of them have anything to confirm. */
async function saidOf(db: Service['db'], { uuid, unconfirmed }: PersonRow) {
  const all = unconfirmed.length > 0 ? await findOwnDetails(db, uuid) : null
  const details = all && asUser(all)
  if (!details || isNothing(details)) return null
  const { firstName, lastName, mobile } = details
  return { firstName, lastName, mobile, mark: markOf(details) }
}

const personRecord = (
  row: PersonRow,
  unconfirmed: Type.Static<typeof Said> | null,
): Type.Static<typeof PersonRecord> => ({
  uuid: row.uuid,
  reference: row.reference!,
  name: fullName(confirmedOnly(row)),
  email: row.email,
  role: row.isOwner ? 'owner' : 'staff',
  hasLogin: row.hasLogin,
  lastLoginAt: row.lastLoginAt === null ? null : toUtcText(row.lastLoginAt),
  unconfirmed,
})
