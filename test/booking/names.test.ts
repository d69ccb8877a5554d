// Whose a name is. Tenants share one service; none may disturb or inherit what another's consumers call by name.

import { describe, expect, it } from 'vitest'
import {
  makePractice,
  makeProduct,
  makeResource,
  makeTimeslot,
  type Practice,
  unique,
} from '../support/build.ts'
import { asConsumer, overApp, queryText, slotsOf } from '../support/consumer.ts'
import { type Caller, useService } from '../support/service.ts'

const holdfast = await useService()
const consumer = asConsumer(overApp(holdfast.app))

/** A practice of this CRM with a Resource of that reference and one slot. */
async function practiceWith(crm: Caller, reference: string): Promise<Practice> {
  const practice = await makePractice(crm)
  const { uuid } = await makeResource(crm, practice, { reference })
  const room = { ...practice, resource: reference, resourceUuid: uuid }
  await makeTimeslot(crm, room)
  return room
}

const whose = async (ref: string) => {
  const answer = await consumer.list(ref)
  return answer.status === 200 ? slotsOf(answer)[0]!.resource_uuid : answer.status
}
const remove = (crm: Caller, { path, resource }: Practice) =>
  crm.delete(`${path}/resources/${encodeURIComponent(resource)}?ignoreFutureAppointments=true`)

describe('a Resource reference', () => {
  it('stays with the CRM that used it first, whatever other CRMs create', async () => {
    const reference = unique('room')
    const mine = await practiceWith(holdfast.crm, reference)
    await practiceWith(holdfast.otherCrm, reference)
    expect(await whose(reference)).toBe(mine.resourceUuid)
    const held = await consumer.send('POST', `/resources/public_data${queryText({ ref: reference })}`)
    expect(held.body.resource.uuid).toBe(mine.resourceUuid)
  })

  it('is not inherited when deleted, and returns to its CRM when created again', async () => {
    const reference = unique('room')
    const mine = await practiceWith(holdfast.crm, reference)
    await practiceWith(holdfast.otherCrm, reference)
    expect((await remove(holdfast.crm, mine)).status).toBe(204)
    expect(await whose(reference)).toBe(404)
    const again = await practiceWith(holdfast.crm, reference)
    expect(await whose(reference)).toBe(again.resourceUuid)
  })

  it('that ends with a CRM’s name belongs to that CRM, even if another used it first', async () => {
    const reference = `${unique('room').split('@')[0]}@other`
    const squatter = await practiceWith(holdfast.crm, reference)
    expect(await whose(reference)).toBe(404)
    const theirs = await practiceWith(holdfast.otherCrm, reference)
    expect(await whose(reference)).toBe(theirs.resourceUuid)
    expect(await whose(squatter.resourceUuid)).toBe(squatter.resourceUuid)
  })

  it('used by two Providers of one CRM resolves to neither: the error names the three-part form', async () => {
    const reference = unique('room')
    await practiceWith(holdfast.crm, reference)
    await practiceWith(holdfast.crm, reference)
    const { status, body } = await consumer.list(reference)
    expect(status).toBe(404)
    expect(body.errors[0].message).toContain('@providerUuid@')
  })
})

it('Timeslot, Appointment and Product references stay with their CRM too', async () => {
  const [timeslot, product] = [unique('timeslot'), unique('product')]
  const [mine, rival] = [await makePractice(holdfast.crm), await makePractice(holdfast.otherCrm)]
  const { uuid } = await makeTimeslot(holdfast.crm, mine, { reference: timeslot })
  const { uuid: productUuid } = await makeProduct(holdfast.crm, mine, { reference: product })
  await makeTimeslot(holdfast.otherCrm, rival, { reference: timeslot })
  await makeProduct(holdfast.otherCrm, rival, { reference: product })

  const data = await consumer.send('POST', `/resources/public_data${queryText({ tslRefs: timeslot })}`)
  expect(data.body.resource?.uuid).toBe(mine.resourceUuid)
  const bookables = await consumer.send(
    'POST',
    `/bookables/specific_bookables${queryText({ tslIds: timeslot })}`,
  )
  expect(JSON.stringify(bookables.body)).toContain(uuid)
  const products = await consumer.send(
    'POST',
    `/products/specific_products${queryText({ prdRefs: product })}`,
  )
  expect(products.body.map((one: { uuid: string }) => one.uuid)).toEqual([productUuid])
})
