import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { violates } from '../../db/base/postgres-errors.ts'
import type { Crm } from '../../db/setup/crms.ts'
import {
  attachReference,
  findConsumerByEmail,
  findUser,
  firstFreeVariant,
  insertUser,
  isEmailOfReferencedUser,
  isUsernameOfAnother,
  lockEmail,
  lockReference,
  type UserFields,
  type UserRow,
  updateContactFields,
} from '../../db/setup/users.ts'
import { emailExists, usernameExists } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import { queueMail } from '../../mail/outbox.ts'
import { emailVariantParts, maximumEmailLength } from '../../rules/emails.ts'
import type { Service } from '../../service.ts'

type Outcome = { user: UserRow; created: boolean }

/**
 * Known reference: the User is updated. Email of a User with a reference: a new User with a variant of the email.
 * Email of somebody who once booked: that User gets the reference. Otherwise: a new User.
 */
export async function createUser(
  service: Service,
  { crm, actor }: { crm: Crm; actor: Actor },
  fields: UserFields,
  language: Language,
): Promise<Outcome> {
  return untilNoRival(() =>
    service.db.transaction(async tx => {
      await lockReference(tx, crm.id, fields.reference)
      await lockEmail(tx, fields.email)
      const known = await findUser(tx, crm.id, fields.reference)
      if (known) return { user: await updateContactFields(tx, known.id, fields), created: false }

      const outcome = await attachOrInsert(tx, crm.id, fields, language)
      await queueVerification(service, tx, crm.id, outcome.user)
      await recordAudit(tx, { actor, crmId: crm.id, action: 'user.create', reference: fields.reference })
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

async function queueVerification(service: Service, tx: Queryable, crmId: number, user: UserRow) {
  const token = service.signer.sign('verify', `${user.uuid}:${user.verification_nonce}`)
  await queueMail(tx, {
    kind: 'verification',
    crmId,
    userId: user.id,
    to: user.email!,
    language: user.language,
    data: {
      name: [user.first_name, user.last_name].filter(Boolean).join(' '),
      link: `${service.baseUrl}/verify/${token}`,
    },
  })
}

// A rival with the same reference or variant may commit between our look and our write; the constraint then refuses
// and a second look finds the rival.
async function untilNoRival<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (violates(error, 'app_user_username')) throw usernameExists()
      const rival = violates(error, 'app_user_reference') || violates(error, 'app_user_email')
      if (!rival || tries >= 20) throw error
    }
  }
}
