import { isDeepStrictEqual } from 'node:util'
import type { CrmCaller } from '../../callers.ts'
import { bumpForContact } from '../../db/setup/revisions.ts'
import {
  detachReference,
  findUser,
  lockReference,
  lockUser,
  type UserFields,
  type UserRow,
  updateContactFields,
  usesOfUser,
} from '../../db/setup/users.ts'
import { inUse, notFound, userOwns } from '../../errors.ts'
import { omitUndefined } from '../../lib/objects.ts'
import { countryOfZone, mobileKey } from '../../rules/people/phones.ts'
import type { Service } from '../../service.ts'
import { formerReference, recordEvents } from '../record-events.ts'

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
