import { isDeepStrictEqual } from 'node:util'
import type { CrmCaller, ProviderContext } from '../../callers.ts'
import { RestartTransaction } from '../../db/base/postgres-errors.ts'
import {
  deleteProfile,
  findGeneralProfile,
  findProviderProfile,
  insertProviderProfile,
  lockProfile,
  mergeChannels,
  type ProfileRow,
  renameProfile,
  upsertGeneralProfile,
} from '../../db/setup/profiles.ts'
import { bumpForContact } from '../../db/setup/revisions.ts'
import { findUser } from '../../db/setup/users.ts'
import { invalidField, mapCollectingRefusals, notFound, referenceExists } from '../../errors.ts'
import type { ContactChannel } from '../../rules/people/contacts.ts'
import { profileProblem } from '../../rules/people/contacts.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

type ProfileFields = { name: string; contactChannels: ContactChannel[] }

export async function updateGeneralProfile(
  service: Service,
  { crm, actor }: CrmCaller,
  userReference: string,
  { name, contactChannels }: ProfileFields,
): Promise<ProfileRow> {
  checkChannels(contactChannels)
  return service.db.transaction(async tx => {
    const user = await findUser(tx, crm.id, userReference)
    if (!user) throw notFound('User', userReference)
    const known = await findGeneralProfile(tx, user.id)
    if (known && isAsKnown(known, { name, contactChannels })) return known
    const id = await upsertGeneralProfile(tx, crm.id, user.id, name)
    await mergeChannels(tx, crm.id, id, contactChannels)
    await bumpForContact(tx, user.id)
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'profile.changed': [id] } })
    return (await findGeneralProfile(tx, user.id))!
  })
}

export async function saveProviderProfile(
  { service, actor, provider }: ProviderContext,
  fields: ProfileFields & { reference: string; userReference: string; providerReference: string },
  check: (current: ProfileRow) => void = () => {},
): Promise<{ profile: ProfileRow; created: boolean }> {
  const { reference, name, contactChannels } = fields
  checkChannels(contactChannels)
  if (fields.providerReference !== provider.reference)
    throw invalidField('providerReference', 'path-provider')
  return service.db.transaction(async tx => {
    const user = await findUser(tx, provider.crmId, fields.userReference)
    if (!user) throw notFound('User', fields.userReference, 'userReference')
    const owner = { crmId: provider.crmId, providerId: provider.id, userId: user.id }
    const made = await insertProviderProfile(tx, owner, reference, name)
    await lockProfile(tx, provider.id, reference)
    const existing = await findProviderProfile(tx, provider.id, reference)
    // Removed while we waited for the lock.
    if (!existing) throw new RestartTransaction()
    if (!made) check(existing)
    if (existing.userId !== user.id) throw referenceExists('User’s profile', reference)
    if (!made && isAsKnown(existing, fields)) return { profile: existing, created: false }
    await renameProfile(tx, existing.id, name)
    await mergeChannels(tx, provider.crmId, existing.id, contactChannels)
    await bumpForContact(tx, user.id)
    await recordEvents(tx, service, { actor, provider, events: { 'profile.changed': [existing.id] } })
    return { profile: (await findProviderProfile(tx, provider.id, reference))!, created: made !== null }
  })
}

const isAsKnown = (known: ProfileRow, { name, contactChannels }: ProfileFields) =>
  isDeepStrictEqual([known.name, known.channels], [name, contactChannels])

/** Resources and Appointments that used it show the person's general profile instead. */
export async function removeProviderProfile(
  { service, actor, provider }: ProviderContext,
  reference: string,
) {
  await service.db.transaction(async tx => {
    await lockProfile(tx, provider.id, reference)
    const profile = await findProviderProfile(tx, provider.id, reference)
    if (!profile) throw notFound('Contact Profile', reference)
    await bumpForContact(tx, profile.userId)
    await deleteProfile(tx, profile.id)
    const events = { 'profile.removed': [{ subject: profile.id, detail: reference }] }
    await recordEvents(tx, service, { actor, provider, events })
  })
}

function checkChannels(channels: ContactChannel[]) {
  const seen = new Set<string>()
  mapCollectingRefusals(channels, ({ type, value }, index) => {
    if (seen.has(type)) throw invalidField(`contactChannels[${index}].type`, 'duplicate:channel', { type })
    seen.add(type)
    const problem = profileProblem(type, value)
    if (problem) throw invalidField(`contactChannels[${index}].value`, problem)
  })
}
