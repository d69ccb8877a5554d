import { describe, expect, it } from 'vitest'
import { createKey } from '../../src/actions/setup/keys.ts'
import { makeAppointment, makeCustomer } from '../support/build.ts'
import { consoleRoutes, nameOf, useConsoleWorld } from '../support/console-world.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })
const { mine, addressOf, requestFor } = await useConsoleWorld(holdfast)

/** What a booking and its customer hold; none of it is a setting. */
const planted = {
  userName: 'Planted Personname',
  email: 'planted@private.example',
  mobile: '+4917099988877',
  note: 'planted customer note',
}
const appointment = await makeAppointment(holdfast.crm, mine, {
  start: '2031-06-10T10:00',
  end: '2031-06-10T10:30',
  capacity: 1,
  notes: 'planted appointment notes',
})
const customer = await makeCustomer(holdfast.crm, mine, planted)
const body = {
  reference: `${crypto.randomUUID()}@plat`,
  appointmentReference: appointment.reference,
  customerReference: customer.customerReference,
  state: 'BOOKED',
}
expect((await holdfast.crm.post(`${mine.path}/participations`, body)).status).toBe(201)
await holdfast.query(`update app_user set mobile = '+4917011122233' where reference = $1`, [mine.owner])

const staffEmail = mine.ownerEmail.toLowerCase()
const secrets = [...Object.values(planted), 'planted appointment', '11122233', staffEmail, '9998887']

const open = consoleRoutes.filter(({ access }) => access.kind === 'console' && access.scope)
const key = await createKey(holdfast.service, { crm: 'crm', scopes: ['settings'] })

describe('a key with the scope settings alone', () => {
  it.each(open.map(route => [nameOf(route), route] as const))(
    'reads no personal data: %s',
    async (_, route) => {
      // The Resource and the days of the planted booking, where the route does not use them up.
      const made = await addressOf(route)
      const address =
        route.method === 'DELETE' || route.path.includes(':sourceUuid')
          ? made
          : made.replace(/resources\/[\w-]{36}/, `resources/${mine.resourceUuid}`)
      const request = await requestFor(route, mine, address)
      const answer = await call(holdfast.app, route.method, request.address, request.body, {
        headers: { 'x-service-client-id': key },
      })
      expect([answer.status < 300, answer.text]).toEqual([true, expect.any(String)])
      for (const secret of secrets) expect(answer.text.toLowerCase()).not.toContain(secret.toLowerCase())
    },
  )

  it('opens no other route of the console', async () => {
    for (const route of consoleRoutes.filter(one => !open.includes(one))) {
      const request = await requestFor(route)
      const { status, text } = await call(holdfast.app, route.method, request.address, request.body, {
        headers: { 'x-service-client-id': key },
      })
      expect([nameOf(route), status, text.includes(planted.email)]).toEqual([nameOf(route), 401, false])
    }
  })
})

it('a key that can also read appointments sees the customers affected by a closure', async () => {
  const both = await createKey(holdfast.service, { crm: 'crm', scopes: ['settings', 'read'] })
  const { body } = await call(
    holdfast.app,
    'POST',
    `/console/api/providers/${mine.uuid}/closures`,
    { from: '2031-06-10', to: '2031-06-11', reason: 'Away' },
    { headers: { 'x-service-client-id': both } },
  )
  expect(body.appointments[0].people[0].email).toBe(planted.email)
})
