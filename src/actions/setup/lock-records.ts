import { lockAccount } from '../../db/setup/accounts.ts'
import { lockProduct } from '../../db/setup/products.ts'
import { lockGeneralProfile, lockProfile } from '../../db/setup/profiles.ts'
import { findProvider, lockProvider } from '../../db/setup/providers.ts'
import { lockQuestions } from '../../db/setup/questions.ts'
import { lockResource } from '../../db/setup/resources.ts'
import { lockReference, lockUser } from '../../db/setup/users.ts'
import type { RecordLock } from './run-if-unchanged.ts'

export const lockResourceRecord: RecordLock = (tx, { providerId, params }) =>
  lockResource(tx, providerId, params.resourceRef!)

export const lockProductRecord: RecordLock = (tx, { providerId, params }) =>
  lockProduct(tx, providerId, params.productRef!)

export const lockProfileRecord: RecordLock = (tx, { providerId, params }) =>
  lockProfile(tx, providerId, params.profileRef!)

export const lockGeneralProfileRecord: RecordLock = (tx, { crmId, params }) =>
  lockGeneralProfile(tx, crmId, params.userRef!)

export const lockUserRecord: RecordLock = async (tx, { crmId, params }) => {
  await lockReference(tx, crmId, params.reference!)
  await lockUser(tx, crmId, params.reference!)
}

export const lockAccountRecord: RecordLock = (tx, { crmId, params }) =>
  lockAccount(tx, crmId, params.reference!)

export const lockProviderRecord: RecordLock = async (tx, { crmId, params }) => {
  const found = await findProvider(tx, crmId, params.reference!)
  if (found) await lockProvider(tx, found.id)
}

export const lockQuestionRecord: RecordLock = (tx, { providerId }) => lockQuestions(tx, providerId)
