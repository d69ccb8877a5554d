import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeClient } from '../clients/ts/client.ts'
import { clientTypes } from '../scripts/client-types.ts'
import { makeProduct, makeProvider, makeResource } from './support/build.ts'
import { startTestService, type TestService } from './support/service.ts'

let test: TestService
let baseUrl: string
beforeAll(async () => {
  test = await startTestService()
  baseUrl = await test.app.listen({ port: 0 })
})
afterAll(() => test.close())

it('is made out of the OpenAPI document as it is now (else: npm run client)', async () => {
  const kept = await readFile(new URL('../clients/ts/operations.ts', import.meta.url), 'utf8')
  expect(kept).toBe(await clientTypes())
})

it('sets up, schedules, lists, holds and books with typed calls', async () => {
  const { crm } = test
  const provider = await makeProvider(crm)
  const product = await makeProduct(crm, provider)
  const resource = await makeResource(crm, provider)
  const integrator = makeClient({ baseUrl, apiKey: crm.key })
  const day = { start: '2027-03-04T08:00', end: '2027-03-04T10:00' }
  const made = await integrator.call('POST /crms/{crmId}/provider/{providerRef}/timeslots', {
    params: { crmId: crm.name, providerRef: provider.reference },
    body: {
      timeslots: [
        {
          resourceReference: resource.reference,
          ...day,
          raster: 30,
          defaultCapacity: 1,
          defaultAcceptBookings: true,
          state: 'BOOKABLE',
        },
      ],
    },
  })
  expect(made.status).toBe(201)

  const consumer = makeClient({ baseUrl })
  const params = { ref: resource.reference }
  const list = await consumer.call('GET /resources/{ref}/upcoming_bookables', {
    params,
    query: { prdRef: product.uuid },
  })
  if (list.status !== 200) throw new Error(`list: ${list.status}`)
  const [slot] = list.body['2027-03-04'] as { start: string; end: string; timeslot_uuid: string }[]
  const { start, end, timeslot_uuid } = slot!

  const held = await consumer.call('POST /rest/1/resources/{ref}/reserve_appointment', {
    params,
    body: { timeslot_uuid, product_uuid: product.uuid, from: start, to: end },
  })
  if (held.status !== 200) throw new Error(`reserve: ${held.status}`)
  const booked = await consumer.call('POST /resources/{ref}/create_appointment_with_consumer', {
    params,
    body: {
      start,
      end,
      timeslot_uuid,
      placeholder_id: held.body.participation.customer_uuid,
      email: 'ann@example.org',
      firstname: 'Ann',
      lastname: 'Berg',
    },
  })
  if (booked.status !== 201) throw new Error(`complete: ${booked.status}`)
  expect(booked.body.createdAppointment.cancelLink).toContain('/cancel/')
})
