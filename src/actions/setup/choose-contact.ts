import type { Queryable } from '../../db/base/pool.ts'
import { findProviderProfile, isProfileElsewhere, lockProfileForUse } from '../../db/setup/profiles.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { lockUserForUse } from '../../db/setup/users.ts'
import { invalidField, notFound } from '../../errors.ts'

type Contact = { contactUserId: number | null; contactProfileId: number | null }
type ContactInput = { contact?: string | null; contactProfileReference?: string | null }

/** Resolves the contact and their profile. A profile always belongs to both the contact and the Provider. */
export async function chooseContact(
  tx: Queryable,
  provider: ProviderRow,
  existing: Contact,
  input: ContactInput,
  field = 'contact',
): Promise<Contact> {
  const userId =
    input.contact === undefined ? existing.contactUserId : await userOf(tx, provider, input.contact, field)
  if (input.contactProfileReference)
    return {
      contactUserId: userId,
      contactProfileId: await profileOf(tx, provider, userId, input.contactProfileReference),
    }
  // Changing the contact drops the profile; sending null removes it.
  const keeps = input.contactProfileReference === undefined && userId === existing.contactUserId
  return { contactUserId: userId, contactProfileId: keeps ? existing.contactProfileId : null }
}

async function userOf(
  tx: Queryable,
  provider: ProviderRow,
  reference: string | null,
  field: string,
): Promise<number | null> {
  if (reference === null) return null
  const user = await lockUserForUse(tx, provider.crmId, reference)
  if (!user) throw notFound('User', reference, field)
  return user.id
}

async function profileOf(
  tx: Queryable,
  provider: ProviderRow,
  userId: number | null,
  reference: string,
): Promise<number> {
  const field = 'contactProfileReference'
  if (userId === null) throw invalidField(field, 'contact')
  await lockProfileForUse(tx, provider.id, reference)
  const profile = await findProviderProfile(tx, provider.id, reference)
  if (!profile && (await isProfileElsewhere(tx, provider.crmId, reference)))
    throw invalidField(field, 'contact:provider', { profile: reference })
  if (!profile) throw notFound('Contact Profile', reference, field)
  if (profile.userId !== userId) throw invalidField(field, 'contact:user', { profile: reference })
  return profile.id
}
