import Type from 'typebox'
import {
  detailsDigest,
  isEmptyDetails,
  settleDetails,
  userDetailsOnly,
} from '../../../actions/booking/unconfirmed-details.ts'
import { invite, invitePerson, transferOwnership } from '../../../actions/console/people.ts'
import { changeRole, removeStaff } from '../../../actions/setup/staff.ts'
import { type ConsoleCaller, providersWith } from '../../../callers.ts'
import { findOwnDetails } from '../../../db/booking/unconfirmed-details.ts'
import { findCrmById } from '../../../db/setup/crms.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { listPeople, type PersonRow } from '../../../db/setup/staff.ts'
import { findUserByUuid } from '../../../db/setup/users.ts'
import { changedSince, missingField, notFound } from '../../../errors.ts'
import { languages } from '../../../languages.ts'
import { hasRight, isLimited, type MemberRole, memberRoles } from '../../../rules/access.ts'
import { confirmedOnly, fullName } from '../../../rules/people/contacts.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { recordAt } from '../../wire/callers/permit.ts'
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
  UuidInput,
} from '../../wire/fields.ts'
import { answer, consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { InvitationRecord, linkToPassOnFor } from '../access/invitation.ts'
import { providerInPath, resourceInPath } from '../subjects.ts'

const UnconfirmedDetails = Type.Object(
  {
    firstName: Nullable(Type.String()),
    lastName: Nullable(Type.String()),
    mobile: Nullable(Type.String()),
    mark: Type.String({ description: 'Send it back with your decision. It changes if the details change.' }),
  },
  {
    title: 'UnconfirmedDetails',
    description:
      'Details that a booking with their address supplied. Not shown to customers until confirmed.',
  },
)

const PersonRecord = Type.Object(
  {
    uuid: Uuid,
    reference: Type.String(),
    name: Type.String(),
    email: Nullable(EmailText),
    role: Choice(['owner', ...memberRoles]),
    resources: Type.Array(Uuid, { description: 'The calendars of a practitioner.' }),
    hasLogin: Type.Boolean({ description: 'The person can log in to the console.' }),
    lastLoginAt: Nullable(Moment),
    unconfirmed: Nullable(UnconfirmedDetails),
  },
  { title: 'StaffMember' },
)

const Resources = Optional(
  Type.Array(UuidInput, {
    maxItems: 1000,
    description: 'The calendars of a practitioner; required for them.',
  }),
)

const PeopleReply = Type.Object({ people: Type.Array(PersonRecord) }, { title: 'People' })
const InvitedReply = Type.Object(
  { people: Type.Array(PersonRecord), invitation: Nullable(InvitationRecord) },
  { title: 'InvitedPeople' },
)

export const getPeople = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/people',
  operationId: 'listPeople',
  access: { right: 'manage', whose: providerInPath },
  summary: 'List the staff of a Provider',
  description: 'Staff members, and whether they can log in to the console.',
  replies: { 200: PeopleReply },
  handle: ({ service, found: { id } }) => peopleOf(service, id),
})

export const postPerson = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/people',
  operationId: 'invitePerson',
  access: { right: 'manage', whose: providerInPath },
  summary: 'Invite a staff member',
  description:
    'An existing User of the CRM by `userReference`, or a new person by `email` and `lastName`. Adds them to the staff and emails a link that opens the console. Without a mail server, `invitation` contains the link for you to pass on.',
  body: Type.Object(
    {
      userReference: Optional(Reference),
      email: Optional(Email),
      firstName: OptionalText(),
      lastName: OptionalText(),
      language: Optional(Choice([...languages])),
      role: Optional(Choice(memberRoles)),
      resources: Resources,
    },
    { title: 'PersonInput' },
  ),
  replies: { 201: InvitedReply },
  errors: ['email-exists', 'username-exists'],
  async handle({ body, caller, service, found: provider }) {
    if (body.userReference) await refuseForeignPerson(service, caller, body.userReference)
    const crm = (await findCrmById(service.db, provider.crmId))!
    const who = { crm, actor: caller.actor }
    const membership = await membershipOf(service, provider, body)
    const invited = await invitePerson(service, who, provider, whom(body, provider.language), membership)
    const invitation = await linkToPassOnFor(service, caller, invited)
    return { ...(await peopleOf(service, provider.id)), invitation }
  },
})

export const invitePersonAgain = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/people/:userUuid/invite',
  operationId: 'invitePersonAgain',
  access: { right: 'manage', whose: providerInPath },
  summary: 'Send a new login link',
  description: 'Earlier links stop working. Returns `200` with the link if there is no mail server.',
  replies: { 200: InvitationRecord, 204: null },
  errors: ['email-exists'],
  async handle({ params, caller, service, found: provider, context }) {
    const user = await personOf(service, provider, params)
    const invited = await invite(context, user)
    const invitation = await linkToPassOnFor(service, caller, invited)
    return invitation ? answer(200, invitation) : answer(204, undefined)
  },
})

export const settlePersonDetails = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/people/:userUuid/details',
  operationId: 'settlePersonDetails',
  access: { right: 'manage', whose: providerInPath },
  summary: 'Confirm or delete details supplied by a booking',
  description:
    'Anyone can book with someone else’s email address. Details that such a booking supplied about a staff member are `unconfirmed`: confirm them to publish them, or delete them. Returns `409 changed` if the details have changed since.',
  body: Type.Object({ keep: Type.Boolean(), mark: Text(100) }, { title: 'DetailsAnswer' }),
  replies: { 200: PeopleReply },
  errors: ['changed'],
  async handle({ params, body, caller, service, found: provider }) {
    const user = await personOf(service, provider, params)
    const settled = await settleDetails(service, caller.actor, user.uuid, body, userDetailsOnly)
    if (settled?.kind === 'changed') throw changedSince('mark')
    return peopleOf(service, provider.id)
  },
})

export const makeOwner = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/people/:userUuid/owner',
  operationId: 'makeOwner',
  access: { right: 'transfer', whose: providerInPath },
  summary: 'Transfer ownership of a Provider',
  description: 'Another staff member becomes the owner.',
  replies: { 200: PeopleReply },
  async handle({ params, service, found: provider, context }) {
    const user = await personOf(service, provider, params)
    await transferOwnership(context, user)
    return peopleOf(service, provider.id)
  },
})

export const changePerson = consoleRoute({
  method: 'PATCH',
  path: '/console/api/providers/:uuid/people/:userUuid',
  operationId: 'changePerson',
  access: { right: 'manage', whose: providerInPath },
  summary: 'Change the role of a staff member',
  description:
    'Applies immediately, to open sessions too. Returns 409 for the owner: transfer the ownership first.',
  body: Type.Object({ role: Choice(memberRoles), resources: Resources }, { title: 'PersonChange' }),
  replies: { 200: PeopleReply },
  errors: ['owner'],
  async handle({ params, body, service, found: provider, context }) {
    const user = await personOf(service, provider, params)
    await changeRole(context, user, await membershipOf(service, provider, body))
    return peopleOf(service, provider.id)
  },
})

export const deletePerson = consoleRoute({
  method: 'DELETE',
  path: '/console/api/providers/:uuid/people/:userUuid',
  operationId: 'removePerson',
  access: { right: 'manage', whose: providerInPath },
  summary: 'Remove a staff member',
  description:
    'Revokes their calendar subscriptions for this Provider. A person who works for no other Provider also loses their login, with all sessions and links, and the API keys created for them. Returns 409 for the owner.',
  replies: { 204: null },
  errors: ['owner'],
  async handle({ params, service, found: provider, context }) {
    const user = await personOf(service, provider, params)
    await removeStaff(context, user.reference!)
  },
})

/** A practitioner needs at least one calendar; for the other roles, the list is ignored. */
async function membershipOf(
  { db }: Service,
  { id }: ProviderRow,
  { role, resources }: { role?: MemberRole | null; resources?: string[] | null },
) {
  if (!role || !isLimited(role)) return { role: role ?? 'staff', resourceIds: [] }
  if (!resources?.length) throw missingField('resources')
  const found = await Promise.all(resources.map(uuid => recordAt(db, resourceInPath, id, uuid)))
  return { role, resourceIds: found.map(one => one.id).sort((one, other) => one - other) }
}

/** Owners can add people of their own businesses; others are invited by email, so that the person agrees. */
async function refuseForeignPerson({ db }: Service, caller: ConsoleCaller, reference: string) {
  if (hasRight(caller.role, 'crm')) return
  const managed = providersWith(caller, 'manage') ?? []
  const mine = await Promise.all(managed.map(id => listPeople(db, id)))
  if (!mine.flat().some(one => one.reference === reference))
    throw notFound('User', reference, 'userReference')
}

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

async function personOf({ db }: Service, { id }: ProviderRow, { userUuid }: { userUuid: string }) {
  const user = isUuid(userUuid) ? await findUserByUuid(db, userUuid) : null
  const people = user ? await listPeople(db, id) : []
  if (!user || !people.some(one => one.uuid === user.uuid)) throw notFound('Staff member', userUuid)
  return user
}

async function peopleOf({ db }: Service, providerId: number) {
  const people = await listPeople(db, providerId)
  return {
    people: await Promise.all(people.map(async row => personRecord(row, await unconfirmedDetails(db, row)))),
  }
}

/** Few people have unconfirmed details. */
async function unconfirmedDetails(db: Service['db'], { uuid, unconfirmed }: PersonRow) {
  const all = unconfirmed.length > 0 ? await findOwnDetails(db, uuid) : null
  const details = all && userDetailsOnly(all)
  if (!details || isEmptyDetails(details)) return null
  const { firstName, lastName, mobile } = details
  return { firstName, lastName, mobile, mark: detailsDigest(details) }
}

const personRecord = (
  row: PersonRow,
  unconfirmed: Type.Static<typeof UnconfirmedDetails> | null,
): Type.Static<typeof PersonRecord> => ({
  uuid: row.uuid,
  reference: row.reference!,
  name: fullName(confirmedOnly(row)),
  email: row.email,
  role: row.isOwner ? 'owner' : row.role,
  resources: row.resourceUuids,
  hasLogin: row.hasLogin,
  lastLoginAt: row.lastLoginAt === null ? null : toUtcText(row.lastLoginAt),
  unconfirmed,
})
