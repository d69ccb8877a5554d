import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { removeProviderProfile, saveProviderProfile } from '../../../actions/setup/save-profile.ts'
import { findProviderProfile, listProviderProfiles } from '../../../db/setup/profiles.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { listStaff } from '../../../db/setup/staff.ts'
import { notFound } from '../../../errors.ts'
import { confirmedOnly, fullName } from '../../../rules/people/contacts.ts'
import type { Service } from '../../../service.ts'
import { GeneralBody, ProviderProfile, providerProfile, withLabels } from '../../setup/profiles.ts'
import { Optional, Reference } from '../../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../../wire/if-match.ts'
import { answer, consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { providerInPath } from '../subjects.ts'

const Contact = Type.Object(
  { reference: Type.String(), name: Type.String(), email: Nullable(Type.String()) },
  { title: 'StaffContact' },
)

export const getContacts = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/contacts',
  operationId: 'getContacts',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'List contacts that Resources can use',
  description: 'The Provider’s staff, and the profiles that present them to customers.',
  replies: {
    200: Type.Object(
      { people: Type.Array(Contact), profiles: Type.Array(ProviderProfile) },
      { title: 'Contacts' },
    ),
  },
  async handle({ caller, service, found: provider }) {
    const [staff, profiles] = await Promise.all([
      listStaff(service.db, provider.id),
      listProviderProfiles(service.db, provider.id),
    ])
    const people = staff.map(user => {
      const name = fullName(confirmedOnly(user))
      return { reference: user.reference ?? '', name, email: caller.readsPeople ? user.email : null }
    })
    return { people, profiles: profiles.map(providerProfile) }
  },
})

/**
 * Only the Provider's own staff: otherwise a business could publish the name and number of another's
 * employees.
 */
export async function refuseForeignContact(
  { db }: Service,
  provider: ProviderRow,
  reference: string | null | undefined,
  field: string,
) {
  if (!reference) return
  const staff = await listStaff(db, provider.id)
  if (!staff.some(user => user.reference === reference)) throw notFound('Staff member', reference, field)
}

export const saveProfile = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/profiles',
  operationId: 'saveProfile',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'Add or change a Contact Profile',
  description: 'Updates the profile with this reference (200), or creates it (201).',
  body: Type.Object(
    { ...GeneralBody.properties, reference: Optional(Reference), userReference: Reference },
    { title: 'ProfileInput' },
  ),
  replies: { 200: ProviderProfile, 201: ProviderProfile },
  errors: ['reference-exists'],
  async handle({ body, service, found: provider, context }) {
    await refuseForeignContact(service, provider, body.userReference, 'userReference')
    const { profile, created } = await saveProviderProfile(context, {
      ...withLabels(body),
      reference: body.reference ?? `${randomUUID()}@console`,
      providerReference: provider.reference,
    })
    return answer(created ? 201 : 200, providerProfile(profile))
  },
})

const profilePath = '/console/api/providers/:uuid/profiles/:profileRef'

export const getProfile = consoleRoute({
  method: 'GET',
  path: profilePath,
  operationId: 'getProfile',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'Get a Contact Profile',
  description: '`PATCH` accepts the ETag as If-Match.',
  replies: { 200: ProviderProfile },
  handle: async ({ params, service, reply, found: provider }) =>
    withEtag(reply, providerProfile(await profileOf(service, provider, params))),
})

export const patchProfile = consoleRoute({
  method: 'PATCH',
  path: profilePath,
  operationId: 'changeProfile',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'Change a Contact Profile',
  description: 'Changes only the fields that are sent. The list of channels is replaced as a whole.',
  headers: IfMatch,
  body: Type.Partial(GeneralBody, { title: 'ProfileChange' }),
  replies: { 200: ProviderProfile },
  async handle({ params, body, service, request, reply, found: provider, context }) {
    const known = providerProfile(await profileOf(service, provider, params))
    const input = withLabels({ ...known, ...body })
    const check = ifUnchanged(request, providerProfile)
    const { profile } = await saveProviderProfile(context, input, check)
    return withEtag(reply, providerProfile(profile))
  },
})

export const deleteProfile = consoleRoute({
  method: 'DELETE',
  path: profilePath,
  operationId: 'removeProfile',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'Remove a Contact Profile',
  description: 'Resources and Appointments that used it show the person’s general profile instead.',
  replies: { 204: null },
  handle: ({ params, context }) => removeProviderProfile(context, params.profileRef),
})

async function profileOf({ db }: Service, { id }: ProviderRow, { profileRef }: { profileRef: string }) {
  const profile = await findProviderProfile(db, id, profileRef)
  if (!profile) throw notFound('Contact Profile', profileRef)
  return profile
}
