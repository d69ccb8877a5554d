import { randomUUID } from 'node:crypto'
import type { ConsoleCaller, CrmCaller } from '../../callers.ts'
import { within } from '../../db/base/within.ts'
import { type Crm, ensureCrm, findCrmById, listCrms } from '../../db/setup/crms.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { findUserByEmail } from '../../db/setup/users.ts'
import { invalidField, missingScope } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import { crmNameRule, isCrmName } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { createAccount } from '../setup/create-account.ts'
import { createProvider } from '../setup/create-provider.ts'
import { createUser } from '../setup/create-user.ts'

type NewBusiness = {
  name: string
  ownerName: string
  ownerEmail: string
  crm?: string | null
  timeZone?: string | null
  language?: Language | null
}

const firstCrm = 'main'
const made = () => `${randomUUID()}@console`

/** All that a Provider stands on, in one go: its CRM where there is none yet, its owner, an Account. */
export async function openProvider(
  service: Service,
  caller: ConsoleCaller,
  wish: NewBusiness,
): Promise<ProviderRow> {
  return service.db.transaction(async tx => {
    const part = { ...service, db: within(service.db, tx) }
    const crm = await crmFor(part, caller, wish)
    const by: CrmCaller = { id: caller.id, crm, actor: caller.actor }
    const ownerReference = await ownerOf(part, by, wish)
    const accountReference = made()
    await createAccount(part, by, { ownerReference, accountReference, branch: 'misc' })
    const { name, timeZone, language } = wish
    const fields = { reference: made(), name, email: wish.ownerEmail, timeZone, language }
    return (await createProvider(part, by, { ...fields, ownerReference, accountReference })).provider
  })
}

/** Operators name it, or mean the only one; on a fresh service the first is made. */
async function crmFor(
  { db }: Service,
  { role, crmId }: ConsoleCaller,
  { crm, language }: NewBusiness,
): Promise<Crm> {
  if (role === 'staff') throw missingScope('administrator')
  if (role === 'administrator') return (await findCrmById(db, crmId!))!
  if (crm && !isCrmName(crm)) throw invalidField('crm', `crm ${crmNameRule}.`)
  if (crm) return ensureCrm(db, crm, language ?? null)
  const known = await listCrms(db)
  if (known.length > 1)
    throw invalidField('crm', 'There are several CRMs. Say in crm which of them is meant.')
  return known[0] ?? ensureCrm(db, firstCrm, language ?? null)
}

/** Somebody whom the CRM knows by this email, or somebody new. */
async function ownerOf(
  service: Service,
  by: CrmCaller,
  { ownerName, ownerEmail, language }: NewBusiness,
): Promise<string> {
  const known = await findUserByEmail(service.db, by.crm.id, ownerEmail)
  if (known?.reference) return known.reference
  const words = ownerName.trim().split(/\s+/)
  const lastName = words.pop()!
  const reference = made()
  const fields = {
    reference,
    email: ownerEmail,
    username: reference,
    firstName: words.join(' ') || null,
    lastName,
  }
  await createUser(service, by, fields, language ?? by.crm.language ?? service.config.language)
  return reference
}
