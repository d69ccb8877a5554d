import { lockProduct } from '../../db/setup/products.ts'
import { lockGeneralProfile, lockProfile } from '../../db/setup/profiles.ts'
import { lockQuestions } from '../../db/setup/questions.ts'
import { lockResource } from '../../db/setup/resources.ts'
import type { RecordLock } from './run-if-unchanged.ts'

export const lockResourceRecord: RecordLock = (tx, { providerId, params }) =>
  lockResource(tx, providerId, params.resourceRef!)

export const lockProductRecord: RecordLock = (tx, { providerId, params }) =>
  lockProduct(tx, providerId, params.productRef!)

export const lockProfileRecord: RecordLock = (tx, { providerId, params }) =>
  lockProfile(tx, providerId, params.profileRef!)

export const lockGeneralProfileRecord: RecordLock = (tx, { crmId, params }) =>
  lockGeneralProfile(tx, crmId, params.userRef!)

export const lockQuestionRecord: RecordLock = (tx, { providerId }) => lockQuestions(tx, providerId)
