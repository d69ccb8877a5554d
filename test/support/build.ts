// Creates the data that tests need, through the API as an integrator would.

import { type Caller, consoleCall, type TestService } from './service.ts'

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

/** A consumer who booked once: a User of the CRM without a reference. */
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

/** A Provider with its owner and account. `path` is the path of its records. */
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
    account: accountReference,
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

/** A Provider with a Resource and a Product: everything that Timeslots and Appointments need. */
export async function makePractice(crm: Caller, fields: Record<string, unknown> = {}) {
  const provider = await makeProvider(crm, fields)
  const resource = await makeResource(crm, provider)
  const product = await makeProduct(crm, provider)
  return {
    ...provider,
    resource: resource.reference,
    resourceUuid: resource.uuid,
    product: product.reference,
    productUuid: product.uuid,
  }
}

export type Practice = Awaited<ReturnType<typeof makePractice>>

/** Bodies as an integrator sends them; the day is a Monday. */
export const timeslotBody = ({ resource }: Practice, fields: Record<string, unknown> = {}) => ({
  reference: unique('timeslot'),
  resourceReference: resource,
  start: '2030-01-07T08:00',
  end: '2030-01-07T18:00',
  raster: 30,
  defaultCapacity: 1,
  defaultAcceptBookings: true,
  state: 'BOOKABLE',
  ...fields,
})

export const appointmentBody = (
  { resource, product }: Practice,
  fields: Record<string, unknown> = {},
): Record<string, unknown> & { reference: string } => ({
  reference: unique('appointment'),
  start: '2030-01-07T10:00',
  end: '2030-01-07T10:30',
  resourceReference: resource,
  productReference: product,
  ...fields,
})

export async function makeTimeslot(crm: Caller, practice: Practice, fields: Record<string, unknown> = {}) {
  const { status, body } = await crm.post(`${practice.path}/timeslots`, {
    timeslots: [timeslotBody(practice, fields)],
  })
  if (status !== 201) throw new Error(`makeTimeslot: ${JSON.stringify(body)}`)
  return body.timeslots[0] as { reference: string; uuid: string; start: string; end: string }
}

/** With ten places by default. */
export async function makeAppointment(crm: Caller, practice: Practice, fields: Record<string, unknown> = {}) {
  const { status, body } = await crm.post(
    `${practice.path}/appointments`,
    appointmentBody(practice, { capacity: 10, ...fields }),
  )
  if (status !== 201) throw new Error(`makeAppointment: ${JSON.stringify(body)}`)
  return body.appointment as { reference: string; uuid: string; start: string; end: string }
}

/** By default one Appointment a day, starting on a Monday. */
export async function makeSeries(crm: Caller, practice: Practice, fields: Record<string, unknown> = {}) {
  const { status, body } = await crm.post(`${practice.path}/appointments`, {
    resourceReference: practice.resource,
    productReference: practice.product,
    capacity: 10,
    ...fields,
    series_data: {
      from: '2030-01-07T10:00',
      to: '2030-01-09T11:00',
      raster: 60,
      weekdays: ['1', '2', '3', '4', '5', '6', '7'],
      ...(fields.series_data as object),
    },
  })
  if (status !== 201) throw new Error(`makeSeries: ${JSON.stringify(body)}`)
  return body as { seriesId: string; appointments: { reference: string; start: string; end: string }[] }
}

export async function makeCustomer(
  crm: Caller,
  provider: TestProvider,
  fields: Record<string, unknown> = {},
) {
  const customerReference = unique('customer')
  const { status, body } = await crm.post(`${provider.path}/customers`, {
    customerReference,
    providerReference: provider.reference,
    userName: 'Ann Winter',
    email: `${customerReference.replace('@plat', '')}@example.org`,
    ...fields,
  })
  if (status !== 201) throw new Error(`makeCustomer: ${JSON.stringify(body)}`)
  return body.customer as { customerReference: string; email: string; userName: string }
}

/** Adds a Customer (by default a new one) to the Appointment. */
export async function makeParticipation(
  crm: Caller,
  provider: TestProvider,
  appointmentReference: string,
  state: string,
  {
    query = '?ignoreCapacity',
    ...fields
  }: { query?: string; customerReference?: string; message?: string } = {},
) {
  const customerReference = fields.customerReference ?? (await makeCustomer(crm, provider)).customerReference
  const { status, body } = await crm.post(`${provider.path}/participations${query}`, {
    reference: unique('participation'),
    appointmentReference,
    state,
    ...fields,
    customerReference,
  })
  if (status !== 201) throw new Error(`makeParticipation: ${JSON.stringify(body)}`)
  return body.participation as { reference: string; email: string; customerReference: string }
}

/** Turns this Appointment into one that a consumer created from a Timeslot. */
export async function asConsumerMade({ service }: TestService, appointmentUuid: string) {
  await service.db.pool.query(`update appointment set origin = 'consumer' where uuid = $1`, [appointmentUuid])
}

/** What staff can set in the console. */
export async function setChannel(
  holdfast: TestService,
  resourceUuid: string,
  change: Record<string, unknown>,
  key = 'RESOURCE_PUBLIC',
) {
  return setInConsole(holdfast, `/resources/${resourceUuid}/channels/${key}`, change)
}

export const setProduct = (holdfast: TestService, uuid: string, change: Record<string, unknown>) =>
  setInConsole(holdfast, `/products/${uuid}`, change)

export const setProvider = (holdfast: TestService, uuid: string, change: Record<string, unknown>) =>
  setInConsole(holdfast, `/providers/${uuid}`, change)

async function setInConsole({ app }: TestService, path: string, change: Record<string, unknown>) {
  const { status, body } = await consoleCall(app, 'PATCH', path, change)
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return body
}

/** Sets the clock to this moment. */
export function setClock({ clock }: TestService, moment: string) {
  clock.shiftMs = Date.parse(moment) - Date.now()
}

/** Another Resource of the same practice. */
export async function makeRoom(
  crm: Caller,
  practice: Practice,
  fields: Record<string, unknown> = {},
): Promise<Practice> {
  const { reference, uuid } = await makeResource(crm, practice, fields)
  return { ...practice, resource: reference, resourceUuid: uuid }
}

/** Read from the table: the log only shows them once all earlier transactions have ended, including those of other tests. */
export async function eventCount({ service }: TestService): Promise<number> {
  const { rows } = await service.db.pool.query('select count(*)::int as count from event')
  return rows[0].count
}
