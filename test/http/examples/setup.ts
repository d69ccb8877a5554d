import type { Recorder } from './recorder.ts'

export const references = {
  user: 'mia@acme',
  assistant: 'tom@acme',
  account: 'account-1@acme',
  provider: 'harbour@acme',
  product: 'first-talk@acme',
  resource: 'room-1@acme',
  profile: 'mia-harbour@acme',
}

const { user, assistant, account, provider, product, resource, profile } = references
const crmId = 'crm'
export const inProvider = { crmId, providerRef: provider }

const address = { city: 'Hamburg', zip: '20457', street: 'Am Kai', number: '7', countryCode: 'DE' }

/** Users, Account, Provider and staff, then Products and Resources. */
export async function setUp({ call }: Recorder) {
  const mia = {
    reference: user,
    email: 'mia@harbour.example',
    username: 'mia.berg',
    firstName: 'Mia',
    lastName: 'Berg',
    phone: '+49 40 123456',
  }
  await call('createUser', { path: { crmId }, body: mia })
  await call('getUser', { path: { crmId, reference: user } })
  await call('updateUser', { path: { crmId, reference: user }, body: { mobile: '+49 170 7654321' } })
  await call('createAccount', {
    path: { crmId },
    body: {
      ownerReference: user,
      accountReference: account,
      branch: 'misc',
      invoiceCompanyName: 'Harbour Practice',
      invoiceAddress: address,
      email: 'invoices@harbour.example',
    },
  })
  await call('getAccount', { path: { crmId, reference: account } })
  await call('updateAccount', {
    path: { crmId, reference: account },
    body: { invoiceContactName: 'Mia Berg' },
  })
  const spare = { ownerReference: user, accountReference: 'spare@acme', branch: 'misc' }
  await call('createAccount', { path: { crmId }, body: spare })
  await call('deleteAccount', { path: { crmId, reference: 'spare@acme' } })
  await call('createProvider', {
    path: { crmId },
    body: {
      reference: provider,
      ownerReference: user,
      accountReference: account,
      name: 'Harbour Practice',
      email: 'hello@harbour.example',
      branch: 'misc',
    },
  })
  const branch = { ownerReference: user, accountReference: account, name: 'Harbour West' }
  await call('createProvider', { path: { crmId }, body: { reference: 'west@acme', ...branch } })
  await call('deleteProvider', { path: { crmId, reference: 'west@acme' } })
  await call('getProvider', { path: { crmId, reference: provider } })
  await call('changeProvider', { path: { crmId, reference: provider }, body: { phone: '+49 40 654321' } })
  const leaver = {
    reference: 'leaver@acme',
    email: 'leaver@harbour.example',
    username: 'leaver',
    lastName: 'Lang',
  }
  await call('createUser', { path: { crmId }, body: leaver })
  await call('deleteUser', { path: { crmId, reference: 'leaver@acme' } })
  const tom = { reference: assistant, email: 'tom@harbour.example', username: 'tom.lund', lastName: 'Lund' }
  await call('createUser', { path: { crmId }, body: tom })
  await call('addStaff', { path: inProvider, body: { userReference: assistant } })
  await call('listStaff', { path: inProvider })
  await call('removeStaff', { path: { ...inProvider, userRef: assistant } })
  await profiles({ call })
  return offer({ call })
}

async function profiles({ call }: Pick<Recorder, 'call'>) {
  const contactChannels = [
    { type: 'email', value: 'mia@harbour.example' },
    { type: 'phone', label: 'Front desk', value: '+49 40 123456' },
  ]
  const name = 'Mia Berg'
  await call('updateGeneralProfile', { path: { crmId, userRef: user }, body: { name, contactChannels } })
  await call('getGeneralProfile', { path: { crmId, userRef: user } })
  const owners = { userReference: user, providerReference: provider }
  await call('saveProviderProfile', {
    path: inProvider,
    body: { reference: profile, ...owners, name, contactChannels },
  })
  await call('getProviderProfile', { path: { ...inProvider, profileRef: profile } })
}

async function questions({ call }: Pick<Recorder, 'call'>, talk: { reference: string }, uuid: string) {
  const label = { en: 'Reason for your visit', de: 'Grund Ihres Besuchs' }
  const reason = { key: 'reason', type: 'textarea', label, required: true, keepDays: 90 }
  await call('createQuestion', { path: inProvider, body: reason })
  await call('getQuestions', { path: inProvider })
  const one = { ...inProvider, questionKey: 'reason' }
  await call('updateQuestion', { path: one, body: { maxLength: 500 } })
  await call('getQuestion', { path: one })
  await call('createProduct', { path: inProvider, body: { ...talk, questions: ['reason'] } })
  await call('getBookingConfig', { path: { uuid } })
  await call('deleteQuestion', { path: one })
}

async function offer({ call }: Pick<Recorder, 'call'>) {
  const talk = { reference: product, name: 'First talk', description: 'Bring your papers.', minDuration: 30 }
  const made = await call('createProduct', { path: inProvider, body: talk })
  const one = { ...inProvider, productRef: product }
  await call('getProduct', { path: one })
  await call('changeProduct', { path: one, body: { minDuration: 30 } })
  const spare = { ...talk, reference: 'spare@acme' }
  await call('createProduct', { path: inProvider, body: spare })
  await call('deleteProduct', { path: { ...inProvider, productRef: spare.reference } })
  await call('getUsers', { path: { crmId: inProvider.crmId } })
  await call('getAccounts', { path: { crmId: inProvider.crmId } })
  await call('getProviders', { path: { crmId: inProvider.crmId } })
  await questions({ call }, talk, made.product.uuid)
  await call('getProducts', { path: inProvider })
  const room = { publicName: 'Consulting room', internalName: 'Room 1', products: [product], address }
  const { uuid } = await call('createResource', {
    path: inProvider,
    body: { reference: resource, ...room, contact: user },
  })
  await call('updateResource', {
    path: { ...inProvider, resourceRef: resource },
    body: { description: 'Second floor, there is a lift.' },
  })
  await call('getResources', { path: inProvider })
  await call('getResource', { path: { ...inProvider, resourceRef: resource } })
  await call('createResource', { path: inProvider, body: { reference: 'room-2@acme', ...room } })
  await call('deleteResource', { path: { ...inProvider, resourceRef: 'room-2@acme' } })
  return { productUuid: made.product.uuid as string, resourceUuid: uuid as string }
}
