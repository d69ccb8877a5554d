import Type from 'typebox'
import { lockGeneralProfileRecord, lockProfileRecord } from '../../actions/setup/lock-records.ts'
import {
  saveProviderProfile as save,
  updateGeneralProfile as update,
} from '../../actions/setup/save-profile.ts'
import { findGeneralProfile, findProviderProfile, type ProfileRow } from '../../db/setup/profiles.ts'
import { findUser, type UserRow } from '../../db/setup/users.ts'
import { notFound } from '../../errors.ts'
import { type ContactChannel, confirmedOnly, generalProfileOf } from '../../rules/people/contacts.ts'
import { Choice, OptionalText, Reference, Text } from '../wire/fields.ts'
import { answer, crmRoutes, type GuardedCall } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'

const crmRoute = crmRoutes('B3. Contact Profiles')

const ChannelType = Choice(['mobile', 'phone', 'email', 'video', 'messenger', 'link', 'location'], {
  title: 'ContactChannelType',
})

const ChannelInput = Type.Object(
  { label: OptionalText(), type: ChannelType, value: Text(2000) },
  { title: 'ContactChannelInput' },
)

const general = { name: Text(), contactChannels: Type.Array(ChannelInput, { maxItems: 100 }) }
export const GeneralBody = Type.Object(general, { title: 'GeneralProfileInput' })
const ProviderProfileBody = Type.Object(
  {
    reference: Reference,
    userReference: Reference,
    providerReference: Reference,
    ...general,
  },
  { title: 'ProviderProfileInput' },
)

export const ChannelRecord = Type.Object(
  { label: Nullable(Type.String()), type: ChannelType, value: Type.String() },
  { title: 'ContactChannel' },
)
const GeneralProfile = Type.Object(
  { name: Type.String(), contactChannels: Type.Array(ChannelRecord) },
  { title: 'GeneralProfile' },
)
export const ProviderProfile = Type.Object(
  {
    reference: Type.String(),
    userReference: Type.String(),
    providerReference: Type.String(),
    name: Type.String(),
    contactChannels: Type.Array(ChannelRecord),
  },
  { title: 'ProviderProfile' },
)

export const getGeneralProfile = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/user/:userRef/generalContactProfile',
  operationId: 'getGeneralProfile',
  summary: 'Get General Profile',
  description: 'A User without a profile is presented with name, email, phone and mobile.',
  isRecord: true,
  replies: { 200: GeneralProfile },
  async handle({ params, caller, service }) {
    const user = await findUser(service.db, caller.crm.id, params.userRef)
    if (!user) throw notFound('User', params.userRef)
    return generalProfile(service.db, user)
  },
})

export const updateGeneralProfile = crmRoute({
  method: 'PUT',
  path: '/crms/:crmId/user/:userRef/generalContactProfile',
  operationId: 'updateGeneralProfile',
  summary: 'Update General Profile',
  description: 'Adds new channel types, updates existing ones and removes those not sent.',
  body: GeneralBody,
  ifMatch: { record: getGeneralProfile, lock: lockGeneralProfileRecord },
  replies: { 200: GeneralProfile },
  async handle({ params, body, caller, service }) {
    const profile = await update(service, caller, params.userRef, withLabels(body))
    return { name: profile.name, contactChannels: profile.channels }
  },
})

export const getProviderProfile = crmRoute({
  method: 'GET',
  path: '/crms/:crmId/provider/:providerRef/contactProfile/:profileRef',
  operationId: 'getProviderProfile',
  summary: 'Get Provider Profile',
  description: 'Returns 404 if the Provider has no Contact Profile with this reference.',
  isRecord: true,
  replies: { 200: ProviderProfile },
  async handle({ params, service, found: provider }) {
    const profile = await findProviderProfile(service.db, provider.id, params.profileRef)
    if (!profile) throw notFound('Contact Profile', params.profileRef)
    return providerProfile(profile)
  },
})

const profileIn = ({ params, body }: GuardedCall) => ({
  ...params,
  profileRef: (body as { reference: string }).reference,
})

export const saveProviderProfile = crmRoute({
  method: 'POST',
  path: '/crms/:crmId/provider/:providerRef/contactProfile',
  operationId: 'saveProviderProfile',
  summary: 'Create or Update Provider Profile',
  description:
    'A profile of a User for this Provider only. If the reference exists, updates it (200): adds new channel types, updates existing ones and removes those not sent.',
  body: ProviderProfileBody,
  ifMatch: { record: getProviderProfile, lock: lockProfileRecord, paramsOf: profileIn },
  replies: { 200: ProviderProfile, 201: ProviderProfile },
  errors: ['reference-exists'],
  async handle({ body, context }) {
    const { profile, created } = await save(context, withLabels(body))
    return answer(created ? 201 : 200, providerProfile(profile))
  },
})

async function generalProfile(db: Parameters<typeof findGeneralProfile>[0], user: UserRow) {
  const profile = await findGeneralProfile(db, user.id)
  if (profile) return { name: profile.name, contactChannels: profile.channels }
  const { name, channels } = generalProfileOf(confirmedOnly(user))
  return { name, contactChannels: channels }
}

export function withLabels<T extends Type.Static<typeof GeneralBody>>(body: T) {
  const contactChannels = body.contactChannels.map(
    ({ label, type, value }): ContactChannel => ({ label: label ?? null, type, value }),
  )
  return { ...body, contactChannels }
}

export function providerProfile(profile: ProfileRow) {
  return {
    reference: profile.reference ?? '',
    userReference: profile.userReference ?? '',
    providerReference: profile.providerReference ?? '',
    name: profile.name,
    contactChannels: profile.channels,
  }
}
