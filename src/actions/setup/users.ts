import { isDeepStrictEqual } from 'node:util'
import type { CrmCaller } from '../../callers.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { violates } from '../../db/base/postgres-errors.ts'
import type { Crm } from '../../db/setup/crms.ts'
import { bumpForContact } from '../../db/setup/revisions.ts'
import {
  attachReference,
  detachReference,
  findConsumerByEmail,
  findUser,
  firstFreeVariant,
  insertUser,
  isEmailOfReferencedUser,
  isUsernameOfAnother,
  lockEmail,
  lockReference,
  lockUser,
  type UserFields,
  type UserRow,
  updateContactFields,
  usesOfUser,
} from '../../db/setup/users.ts'
import { emailExists, inUse, notFound, usernameExists, userOwns } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import { omitUndefined } from '../../lib/objects.ts'
import { verificationEmail } from '../../messages/compose.ts'
import type { Actor } from '../../rules/messages/events.ts'
import { emailVariantParts, maximumEmailLength } from '../../rules/people/addresses.ts'
import { countryOfZone, mobileKey } from '../../rules/people/phones.ts'
import type { Service } from '../../service.ts'
import { formerReference, recordEvents } from '../record-events.ts'

type Outcome = { user: UserRow; created: boolean }

/**
 * A known reference: the User is updated. The email of a User with a reference: a new User with a variant of
 * the email. The email of a person who once booked: that User gets the reference. Otherwise: a new User.
 */
export async function createUser(
  service: Service,
  { crm, actor }: { crm: Crm; actor: Actor },
  sent: UserFields,
  language: Language,
): Promise<Outcome> {
  // A User belongs to no single Provider, so numbers without a prefix belong to the country of the service.
  const fields = { ...sent, mobileKey: mobileKey(sent.mobile, countryOfZone(service.config.timeZone)) }
  return untilNoRival(() =>
    service.db.transaction(async tx => {
      await lockReference(tx, crm.id, fields.reference)
      await lockEmail(tx, fields.email)
      const known = await findUser(tx, crm.id, fields.reference)
      const record = (kind: 'user.created' | 'user.changed', user: UserRow) =>
        recordEvents(tx, service, {
          actor,
          crmId: crm.id,
          events: { [kind]: [user.id] },
          extraEmails: [verificationEmail(service, crm.id, user)],
        })
      if (known) {
        const user = await updateContactFields(tx, known.id, fields)
        if (isDeepStrictEqual(user, known)) return { user, created: false }
        await bumpForContact(tx, user.id)
        await record('user.changed', user)
        return { user, created: false }
      }
      const outcome = await attachOrInsert(tx, crm.id, fields, language)
      await record('user.created', outcome.user)
      return outcome
    }),
  )
}

async function attachOrInsert(
  tx: Queryable,
  crmId: number,
  fields: UserFields,
  language: Language,
): Promise<Outcome> {
  const taken = await isEmailOfReferencedUser(tx, fields.email)
  const consumer = taken ? null : await findConsumerByEmail(tx, crmId, fields.email)
  if (await isUsernameOfAnother(tx, fields.username, consumer?.id ?? null)) throw usernameExists()
  if (consumer) return { user: await attachReference(tx, consumer.id, fields, language), created: false }
  const email = taken ? await freeVariant(tx, crmId, fields.email) : fields.email
  return { user: await insertUser(tx, crmId, { ...fields, email }, language), created: true }
}

async function freeVariant(tx: Queryable, crmId: number, email: string): Promise<string> {
  const { before, after } = emailVariantParts(email)
  const variant = await firstFreeVariant(tx, crmId, before, after)
  if (variant.length > maximumEmailLength) throw emailExists()
  return variant
}

// A concurrent request with the same reference or variant, or a consumer with that address, may commit
// between our read and our write; the constraint then refuses, and a second read finds the other row.
async function untilNoRival<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (violates(error, 'app_user_username')) throw usernameExists()
      const rival = ['app_user_reference', 'app_user_email', 'app_user_person_email'].some(name =>
        violates(error, name),
      )
      if (!rival || tries >= 20) throw error
    }
  }
}

type UserChange = Partial<Pick<UserFields, 'firstName' | 'lastName' | 'phone' | 'mobile'>>

/** Names and numbers. Email and username belong to the login and stay. */
export async function changeUser(
  service: Service,
  { crm, actor }: CrmCaller,
  reference: string,
  change: UserChange,
): Promise<UserRow> {
  return service.db.transaction(async tx => {
    await lockReference(tx, crm.id, reference)
    const known = await findUser(tx, crm.id, reference)
    if (!known) throw notFound('User', reference)
    const { mobile } = change
    const fields = {
      lastName: known.lastName,
      ...omitUndefined(change),
      ...(mobile === undefined
        ? {}
        : { mobileKey: mobileKey(mobile, countryOfZone(service.config.timeZone)) }),
    } as UserFields
    const user = await updateContactFields(tx, known.id, fields)
    if (isDeepStrictEqual(user, known)) return user
    await bumpForContact(tx, user.id)
    await recordEvents(tx, service, { actor, crmId: crm.id, events: { 'user.changed': [user.id] } })
    return user
  })
}

/** Refused while something depends on the User. A person who also books stays a Customer. */
export async function deleteUser(service: Service, { crm, actor }: CrmCaller, reference: string) {
  await service.db.transaction(async tx => {
    await lockReference(tx, crm.id, reference)
    const user = await lockUser(tx, crm.id, reference)
    if (!user) throw notFound('User', reference)
    const { owned, others } = await usesOfUser(tx, user.id)
    if (owned.length > 0) throw userOwns(owned)
    if (others.length > 0) throw inUse('User', others)
    await detachReference(tx, user.id)
    const extra = formerReference(service, reference)
    const events = { 'user.deleted': [{ subject: user.id, extra }] }
    await recordEvents(tx, service, { actor, crmId: crm.id, events })
  })
}
