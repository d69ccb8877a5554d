import { inviteOperator } from '../actions/console/login.ts'
import { changeHours, type HoursInput } from '../actions/scheduling/hours/hours.ts'
import { createAccount } from '../actions/setup/accounts.ts'
import { createResource } from '../actions/setup/create-resources.ts'
import { createKey } from '../actions/setup/keys.ts'
import { createProduct } from '../actions/setup/products.ts'
import { createProvider } from '../actions/setup/providers.ts'
import { createUser } from '../actions/setup/users.ts'
import type { CrmCaller } from '../callers.ts'
import { findHours } from '../db/scheduling/hours.ts'
import { ensureCrm, hasCrm } from '../db/setup/crms.ts'
import { findProvider } from '../db/setup/providers.ts'
import { notFound } from '../errors.ts'
import { demoCrm } from '../rules/messages/email-delivery.ts'
import type { Service } from '../service.ts'
import { fillDemo } from './demo-bookings.ts'

export const isEmpty = async ({ db }: Service) => !(await hasCrm(db))

/** Demo keys are rarely cleaned up, so they expire. */
const keyDays = 30

/** Creates a demo tenant; safe to run again. Returns the lines to print. */
export async function createDemo(service: Service): Promise<string[]> {
  const crm = await ensureCrm(service.db, demoCrm, 'en')
  const caller: CrmCaller = { id: 'demo', crm, actor: { kind: 'service', name: 'demo' } }
  await createPeople(service, caller)
  const [room] = await createOfferings(service, caller)
  const expiresAt = new Date(Date.now() + keyDays * 86_400_000)
  const key = await createKey(service, { crm: 'demo', label: 'demo', prefix: 'demo', expiresAt })
  return [
    'Demo data is ready to try (CRM "demo").',
    `Booking page  ${service.baseUrl}/book/${room!.uuid}`,
    await operatorLink(service),
    `API key       ${key}   (shown once, valid for ${keyDays} days)`,
  ]
}

/** The line with the link that opens the console for the first operator. */
export const operatorLink = async (service: Service) =>
  `Console       ${await inviteOperator(service, 'operator@example.org', 'Operator')}   (works once)`

async function createPeople(service: Service, caller: CrmCaller) {
  const owner = {
    reference: 'anna@demo',
    email: 'anna@example.org',
    username: 'anna.demo',
    firstName: 'Anna',
    lastName: 'Berg',
    phone: '+49 30 1234560',
  }
  await createUser(service, caller, owner, 'en')
  await createAccount(service, caller, {
    ownerReference: owner.reference,
    accountReference: 'account@demo',
    branch: 'misc',
  })
  await createProvider(service, caller, {
    reference: 'provider@demo',
    ownerReference: owner.reference,
    accountReference: 'account@demo',
    name: 'Harbour Practice',
    email: 'hello@example.org',
    impressum: 'Harbour Practice, Hafenstrasse 1, 20359 Hamburg',
  })
}

const products = [
  {
    reference: 'consultation@demo',
    name: 'Consultation',
    description: 'An initial consultation. Please bring your documents.',
    minDuration: 30,
    maxDuration: 60,
  },
  {
    reference: 'check-up@demo',
    name: 'Check-up',
    description: 'A full appointment of about an hour.',
    minDuration: 60,
    maxDuration: 60,
    followUpTimeMinutes: 15,
  },
]

const address = { city: 'Hamburg', zip: '20359', street: 'Hafenstrasse', number: '1', countryCode: 'DE' }
const resources = [
  {
    reference: 'room-1@demo',
    publicName: 'Room with a view',
    internalName: 'Room 1',
    contact: 'anna@demo',
    address,
    products: ['consultation@demo', 'check-up@demo'],
  },
  {
    reference: 'group@demo',
    publicName: 'Group session',
    internalName: 'Hall',
    contact: 'anna@demo',
    address,
    products: ['consultation@demo'],
  },
]

async function createOfferings(service: Service, { crm, actor }: CrmCaller) {
  const provider = await findProvider(service.db, crm.id, 'provider@demo')
  if (!provider) throw notFound('Provider', 'provider@demo')
  const context = { service, actor, provider }
  for (const product of products) await createProduct(context, product)
  const made = []
  for (const resource of resources) made.push((await createResource(context, resource, false)).resource)
  for (const resource of made)
    if (!(await findHours(service.db, resource.id)))
      await changeHours(context, resource, hoursOf(resource.reference))
  await fillDemo(context)
  return made
}

/** Weekdays, far enough ahead for a series of ten weeks. */
function hoursOf(resourceReference: string): HoursInput {
  const isGroup = resourceReference.startsWith('group')
  const hours = isGroup ? { from: 17 * 60, to: 19 * 60 } : { from: 9 * 60, to: 17 * 60 }
  const rule = {
    ...hours,
    weekdays: [1, 2, 3, 4, 5],
    raster: isGroup ? 60 : 30,
    capacity: isGroup ? 5 : 1,
    acceptBookings: true,
    validFrom: null,
    validUntil: null,
    onlyOn: null,
    isClosed: false,
  }
  return { weeks: 12, rules: [rule] }
}
