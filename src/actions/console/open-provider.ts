import { randomUUID } from 'node:crypto'
import type { ConsoleCaller, CrmCaller } from '../../callers.ts'
import { nestedDb } from '../../db/base/transactions.ts'
import { type Crm, ensureCrm, findCrmById, listCrms } from '../../db/setup/crms.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { findUserByEmail } from '../../db/setup/users.ts'
import { invalidField, notFound } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import { demoCrm } from '../../rules/messages/email-delivery.ts'
import { isCrmName } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { createAccount } from '../setup/accounts.ts'
import { createProvider } from '../setup/providers.ts'
import { createUser } from '../setup/users.ts'

type NewBusiness = {
  name: string
  ownerName: string
  ownerEmail: string
  crm?: string | null
  timeZone?: string | null
  language?: Language | null
  slug?: string | null
}

const firstCrm = 'main'
const newReference = () => `${randomUUID()}@console`

/** Creates a Provider with everything it needs: a CRM if there is none yet, an owner, an Account. */
export async function openProvider(
  service: Service,
  caller: ConsoleCaller,
  business: NewBusiness,
): Promise<ProviderRow> {
  return service.db.transaction(async tx => {
    const part = { ...service, db: nestedDb(service.db, tx) }
    const crm = await crmFor(part, caller, business)
    const by: CrmCaller = { id: caller.id, crm, actor: caller.actor }
    const ownerReference = await ownerOf(part, by, business)
    const accountReference = newReference()
    await createAccount(part, by, { ownerReference, accountReference, branch: 'misc' })
    const { name, slug, timeZone, language } = business
    const fields = { reference: newReference(), name, slug, email: business.ownerEmail, timeZone, language }
    const { provider } = await createProvider(part, by, { ...fields, ownerReference, accountReference })
    return provider
  })
}

/** Operators name the CRM, or mean the only one; on a new installation the first one is created. */
async function crmFor(
  { db }: Service,
  { crmId }: ConsoleCaller,
  { crm, language }: NewBusiness,
): Promise<Crm> {
  if (crmId !== null) {
    const own = (await findCrmById(db, crmId))!
    if (crm && crm !== own.name) throw notFound('CRM', crm, 'crm')
    return own
  }
  if (crm && !isCrmName(crm)) throw invalidField('crm', 'crm-name:crm')
  if (crm) return ensureCrm(db, crm, language ?? null)
  // The demo may be deleted at any time, so it never counts as the only CRM.
  const known = (await listCrms(db)).filter(one => one.name !== demoCrm)
  if (known.length > 1) throw invalidField('crm', 'one-crm')
  return known[0] ?? ensureCrm(db, firstCrm, language ?? null)
}

/** The User of the CRM with this email, or a new one. */
async function ownerOf(
  service: Service,
  by: CrmCaller,
  { ownerName, ownerEmail, language }: NewBusiness,
): Promise<string> {
  const known = await findUserByEmail(service.db, by.crm.id, ownerEmail)
  if (known?.reference) return known.reference
  const words = ownerName.trim().split(/\s+/)
  const lastName = words.pop()!
  const reference = newReference()
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
