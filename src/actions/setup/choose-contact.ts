import type { Queryable } from '../../db/base/pool.ts'
import { findProviderProfile, isProfileElsewhere } from '../../db/setup/profiles.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { findUser } from '../../db/setup/users.ts'
import { invalidField, notFound } from '../../errors.ts'

type Contact = { contact_user_id: number | null; contact_profile_id: number | null }
type Wish = { contact?: string | null; contactProfileReference?: string | null }

/** Who is the contact, and under which profile. A profile always belongs to the contact and to the Provider. */
export async function chooseContact(
  tx: Queryable,
  provider: ProviderRow,
  existing: Contact,
  wish: Wish,
  field = 'contact',
): Promise<Contact> {
  const userId =
    wish.contact === undefined ? existing.contact_user_id : await userOf(tx, provider, wish.contact, field)
  if (wish.contactProfileReference)
    return {
      contact_user_id: userId,
      contact_profile_id: await profileOf(tx, provider, userId, wish.contactProfileReference),
    }
  // A profile does not follow to another contact; sending null takes it away.
  const keeps = wish.contactProfileReference === undefined && userId === existing.contact_user_id
  return { contact_user_id: userId, contact_profile_id: keeps ? existing.contact_profile_id : null }
}

async function userOf(
  tx: Queryable,
  provider: ProviderRow,
  reference: string | null,
  field: string,
): Promise<number | null> {
  if (reference === null) return null
  const user = await findUser(tx, provider.crm_id, reference)
  if (!user) throw notFound('User', reference, field)
  return user.id
}

async function profileOf(
  tx: Queryable,
  provider: ProviderRow,
  userId: number | null,
  reference: string,
): Promise<number> {
  const refuse = (message: string) => invalidField('contactProfileReference', message)
  if (userId === null) throw refuse('contactProfileReference needs contact: the User whose profile it is.')
  const profile = await findProviderProfile(tx, provider.id, reference)
  if (!profile && (await isProfileElsewhere(tx, provider.crm_id, reference)))
    throw refuse(`The profile ${reference} is not valid for this Provider.`)
  if (!profile) throw notFound('Contact Profile', reference, 'contactProfileReference')
  if (profile.user_id !== userId) throw refuse(`The profile ${reference} does not belong to the contact.`)
  return profile.id
}
