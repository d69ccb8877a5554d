// Data by verbs: what a test needs to stand on, made through the API as an integrator would.

import type { Caller, TestService } from './service.ts'

let counter = 0
export const unique = (word: string) => `${word}-${++counter}@plat`

export async function makeUser(crm: Caller, fields: Record<string, unknown> = {}) {
  const reference = unique('user')
  const name = reference.replace('@plat', '')
  const body = {
    reference,
    email: `${name}.${crm.name}@example.org`,
    username: `${name}.${crm.name}`,
    lastName: 'Berg',
    ...fields,
  }
  const { status, body: answer } = await crm.post('/user', body)
  if (status > 201) throw new Error(`makeUser: ${JSON.stringify(answer)}`)
  return answer.user as { reference: string; email: string; username: string }
}

/** Somebody who booked once: a User of the CRM without a reference. */
export async function makeConsumer({ service }: TestService, email: string, crmName = 'crm') {
  const { rows } = await service.db.pool.query(
    `insert into app_user (crm_id, email, first_name, last_name, language, verified_at)
     select id, $1, 'Con', 'Sumer', 'it', now() from crm where name = $2 returning uuid`,
    [email, crmName],
  )
  return rows[0].uuid as string
}

export async function makeAccount(crm: Caller, ownerReference: string) {
  const accountReference = unique('account')
  await crm.post('/account', { ownerReference, accountReference, branch: 'misc' })
  return accountReference
}

/** A Provider with its owner and account. `path` is where its things live. */
export async function makeProvider(crm: Caller, fields: Record<string, unknown> = {}) {
  const owner = await makeUser(crm)
  const accountReference = await makeAccount(crm, owner.reference)
  const reference = unique('provider')
  const body = { reference, ownerReference: owner.reference, accountReference, name: 'Practice', ...fields }
  const { status, body: answer } = await crm.post('/provider', body)
  if (status !== 201) throw new Error(`makeProvider: ${JSON.stringify(answer)}`)
  return {
    reference,
    uuid: answer.provider.uuid as string,
    owner: owner.reference,
    ownerEmail: owner.email,
    path: `/provider/${encodeURIComponent(reference)}`,
  }
}

export type TestProvider = Awaited<ReturnType<typeof makeProvider>>

export async function makeProduct(crm: Caller, provider: TestProvider, fields: Record<string, unknown> = {}) {
  const { status, body } = await crm.post(`${provider.path}/products`, {
    reference: unique('product'),
    name: 'Talk',
    ...fields,
  })
  if (status > 201) throw new Error(`makeProduct: ${JSON.stringify(body)}`)
  return body.product as { reference: string; uuid: string }
}

export async function makeResource(
  crm: Caller,
  provider: TestProvider,
  fields: Record<string, unknown> = {},
) {
  const reference = unique('resource')
  const { status, body } = await crm.post(`${provider.path}/resources`, {
    reference,
    publicName: 'Room',
    internalName: 'R1',
    ...fields,
  })
  if (status > 201) throw new Error(`makeResource: ${JSON.stringify(body)}`)
  return body as { reference: string; uuid: string }
}

/** A Provider Profile of the User. */
export async function makeProfile(crm: Caller, provider: TestProvider, userReference: string) {
  const reference = unique('profile')
  const { status, body } = await crm.post(`${provider.path}/contactProfile`, {
    reference,
    userReference,
    providerReference: provider.reference,
    name: 'Public name',
    contactChannels: [{ type: 'email', value: 'profile@example.org' }],
  })
  if (status > 201) throw new Error(`makeProfile: ${JSON.stringify(body)}`)
  return body as { reference: string }
}
