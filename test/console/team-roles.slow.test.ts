// Roles at a business: given with the invitation, changed by the owner, recorded, and never without an owner.

import { describe, expect, it } from 'vitest'
import { transferOwnership } from '../../src/actions/console/people.ts'
import { changeRole, removeStaff } from '../../src/actions/setup/staff.ts'
import { findProviderByUuid } from '../../src/db/setup/providers.ts'
import { findUser } from '../../src/db/setup/users.ts'
import { serviceActor } from '../../src/rules/messages/events.ts'
import { makePractice, makeUser } from '../support/build.ts'
import { asStaff } from '../support/logins.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()

const as = (reference: string) => asStaff(holdfast, reference)

async function makeTeam() {
  const practice = await makePractice(holdfast.crm)
  const owner = await as(practice.owner)
  const path = `/providers/${practice.uuid}/people`
  const member = await makeUser(holdfast.crm)
  await holdfast.crm.post(`${practice.path}/staff`, { userReference: member.reference })
  const people = async () =>
    (await owner('GET', path)).body.people as { uuid: string; role: string; name: string }[]
  const [_first, { uuid = '' } = {}] = await people()
  return { practice, owner, path, member, people, memberPath: `${path}/${uuid}` }
}

describe('a role', () => {
  it('comes with the invitation', async () => {
    const { owner, path, practice } = await makeTeam()
    const body = { email: 'desk@example.org', lastName: 'Desk', role: 'reception' }
    const { body: invited } = await owner('POST', path, body)
    expect(invited.people.at(-1)).toMatchObject({ name: 'Desk', role: 'reception' })
    const desk = await as(invited.people.at(-1).reference)
    const { providers } = (await desk('GET', '/session')).body
    expect(providers).toMatchObject([
      {
        uuid: practice.uuid,
        role: 'reception',
        rights: ['own-login', 'see-calendar', 'mails', 'book', 'add-customers'],
      },
    ])
  })

  it('is "staff" unless stated, with the rights that staff always had', async () => {
    const { member } = await makeTeam()
    const { providers } = (await (await as(member.reference))('GET', '/session')).body
    expect(providers).toMatchObject([
      { role: 'staff', rights: ['own-login', 'see-calendar', 'mails', 'book', 'add-customers', 'settings'] },
    ])
  })

  it('changes at once, for open sessions too, and the change is in the activity log', async () => {
    const { practice, owner, member, memberPath } = await makeTeam()
    const colleague = await as(member.reference)
    const product = { name: 'Talk' }
    const products = `/providers/${practice.uuid}/products`
    expect((await colleague('POST', products, product)).status).toBe(201)
    expect((await owner('PATCH', memberPath, { role: 'reader' })).status).toBe(200)
    expectRefusal(await colleague('POST', products, product), 403, 'scope')
    expectRefusal(
      await colleague('POST', `/providers/${practice.uuid}/customers`, { name: 'Ann' }),
      403,
      'scope',
    )
    expect((await colleague('GET', `/providers/${practice.uuid}/customers`)).status).toBe(200)
    const { entries } = (await owner('GET', `/providers/${practice.uuid}/audit?about=staff`)).body
    expect(entries[0]).toMatchObject({
      kind: 'staff.changed',
      data: { role: 'reader', user: { reference: member.reference } },
    })
  })

  it('is recorded only if it changes', async () => {
    const { practice, owner, memberPath } = await makeTeam()
    await owner('PATCH', memberPath, { role: 'manager' })
    await owner('PATCH', memberPath, { role: 'manager' })
    const { entries } = (await owner('GET', `/providers/${practice.uuid}/audit?about=staff`)).body
    expect(entries.filter((one: { kind: string }) => one.kind === 'staff.changed')).toHaveLength(1)
  })

  it('differs between businesses', async () => {
    const [first, second] = [await makeTeam(), await makeTeam()]
    const body = { userReference: first.member.reference }
    await holdfast.crm.post(`${second.practice.path}/staff`, body)
    await first.owner('PATCH', first.memberPath, { role: 'manager' })
    const both = await as(first.member.reference)
    expect((await both('GET', first.path)).status).toBe(200)
    expectRefusal(await both('GET', second.path), 403, 'scope')
  })

  it('refuses unknown roles, and the owner’s', async () => {
    const { owner, path, people, memberPath } = await makeTeam()
    for (const role of ['owner', 'administrator', 'operator', 'boss'])
      expectRefusal(await owner('PATCH', memberPath, { role }), 400, 'invalid-field', 'role')
    const [first] = await people()
    expectRefusal(await owner('PATCH', `${path}/${first!.uuid}`, { role: 'reader' }), 409, 'owner', 'role')
  })

  it('of a manager allows everything but transferring the ownership', async () => {
    const { practice, owner, path, member, memberPath } = await makeTeam()
    await owner('PATCH', memberPath, { role: 'manager' })
    const manager = await as(member.reference)
    expect((await manager('PATCH', `/providers/${practice.uuid}`, { phone: '040 1' })).status).toBe(200)
    expect((await manager('GET', path)).status).toBe(200)
    expectRefusal(await manager('POST', `${memberPath}/owner`), 403, 'scope')
  })
})

describe('a practitioner', () => {
  /** Two Resources with a booking each; the first belongs to the practitioner. */
  async function makeTwoCalendars() {
    const team = await makeTeam()
    const { practice, owner, member, memberPath } = team
    const other = (await owner('POST', `/providers/${practice.uuid}/resources`, { publicName: 'Other' })).body
    const book = async (resourceUuid: string, name: string) => {
      const times = { start: '2030-01-07T10:00', end: '2030-01-07T10:30' }
      const body = { resourceUuid, productUuid: practice.productUuid, ...times, customer: { name } }
      const path = `/providers/${practice.uuid}/appointments?ignoreConflicts=true`
      return (await owner('POST', path, body)).body
    }
    const [own, foreign] = [
      await book(practice.resourceUuid, 'Own Ann'),
      await book(other.uuid, 'Foreign Fay'),
    ]
    const role = { role: 'practitioner', resources: [practice.resourceUuid] }
    expect((await owner('PATCH', memberPath, role)).status).toBe(200)
    return { ...team, other, own, foreign, mine: await as(member.reference) }
  }

  it('sees and changes only their own calendar and the customers in it', async () => {
    const { practice, other, own, foreign, mine } = await makeTwoCalendars()
    const at = `/providers/${practice.uuid}`
    const days = '?from=2030-01-07&to=2030-01-08'
    const reads = ['/resources', '/customers', '/customers?search=fay', '/requests', `/diary${days}`]
    for (const path of [...reads, `/calendar${days}`, '/customer-matches?name=Foreign%20Fay', '/changes']) {
      const { status, text } = await mine('GET', at + path)
      expect([path, status, text.includes('Fay'), text.includes(other.uuid)]).toEqual([
        path,
        200,
        false,
        false,
      ])
    }
    expect((await mine('GET', `${at}/customers`)).text).toContain('Own Ann')
    expect((await mine('GET', `${at}/diary${days}`)).body.entries).toHaveLength(1)
    const [{ customer, uuid: participation }] = foreign.people
    expect((await mine('GET', `/appointments/${own.uuid}`)).status).toBe(200)
    expect((await mine('GET', `/customers/${own.people[0].customer.uuid}`)).status).toBe(200)
    for (const path of [`/appointments/${foreign.uuid}`, `/customers/${customer.uuid}`])
      expect((await mine('GET', path)).status).toBe(404)
    const refused: [string, object][] = [
      [`/appointments/${foreign.uuid}/cancel`, {}],
      [`/participations/${participation}/attendance`, { attendance: 'MISSED' }],
      [`/resources/${other.uuid}/blocks`, { from: '2031-06-10', to: '2031-06-11', reason: 'Away' }],
      [
        `/appointments/${own.uuid}/move`,
        { start: '2030-01-07T12:00', end: '2030-01-07T12:30', resourceUuid: other.uuid },
      ],
      [`/appointments/${own.uuid}/swap`, { withUuid: foreign.uuid }],
    ]
    for (const [path, body] of refused)
      expect([path, (await mine('POST', path, body)).status]).toEqual([path, 404])
    const block = { from: '2031-06-10', to: '2031-06-11', reason: 'Away' }
    expect((await mine('POST', `/resources/${practice.resourceUuid}/blocks`, block)).status).toBe(201)
    expectRefusal(await mine('GET', '/mails'), 403, 'scope')
    expectRefusal(await mine('GET', `${at}/closures`), 403, 'scope')
  })

  it('sees a customer’s visits elsewhere neither in the list nor on their page', async () => {
    const { practice, owner, other, own, mine } = await makeTwoCalendars()
    const { customer } = own.people[0]
    const body = {
      resourceUuid: other.uuid,
      productUuid: practice.productUuid,
      start: '2029-01-08T10:00',
      end: '2029-01-08T10:30',
      customerUuid: customer.uuid,
    }
    const path = `/providers/${practice.uuid}/appointments?ignoreConflicts=true`
    expect((await owner('POST', path, body)).status).toBe(201)
    expect((await owner('GET', `/customers/${customer.uuid}`)).body.history).toHaveLength(2)
    expect((await mine('GET', `/customers/${customer.uuid}`)).body.history).toHaveLength(1)
    const { customers } = (await mine('GET', `/providers/${practice.uuid}/customers`)).body
    expect(customers[0].next.appointmentUuid).toBe(own.uuid)
  })

  it('needs a calendar of this business', async () => {
    const { owner, memberPath } = await makeTeam()
    const elsewhere = await makePractice(holdfast.crm)
    const change = (resources?: string[]) => owner('PATCH', memberPath, { role: 'practitioner', resources })
    expectRefusal(await change(), 400, 'missing-field', 'resources')
    expectRefusal(await change([]), 400, 'missing-field', 'resources')
    expect((await change([elsewhere.resourceUuid])).status).toBe(404)
  })
})

it('people who may not book get no links that change bookings', async () => {
  const { practice, owner, member, memberPath } = await makeTeam()
  const times = { start: '2030-01-07T10:00', end: '2030-01-07T10:30' }
  const where = { resourceUuid: practice.resourceUuid, productUuid: practice.productUuid }
  const body = { ...where, ...times, customer: { name: 'Ann', email: 'ann@example.org' } }
  const { uuid } = (
    await owner('POST', `/providers/${practice.uuid}/appointments?ignoreConflicts=true`, body)
  ).body
  const linksOf = async (who: typeof owner) => (await who('GET', `/appointments/${uuid}`)).body.links
  await owner('PATCH', memberPath, { role: 'reader' })
  expect(await linksOf(owner)).toHaveLength(1)
  expect(await linksOf(await as(member.reference))).toEqual([])
})

describe('the owner', () => {
  it('always belongs to the staff and has no other role, whatever happens at the same moment', async () => {
    const { db } = holdfast.service
    for (let round = 0; round < 8; round++) {
      const { practice, member } = await makeTeam()
      const provider = (await findProviderByUuid(db, practice.uuid))!
      const user = (await findUser(db, provider.crmId, member.reference))!
      const former = (await findUser(db, provider.crmId, practice.owner))!
      await Promise.allSettled([
        transferOwnership({ service: holdfast.service, actor: serviceActor, provider }, user),
        removeStaff({ service: holdfast.service, actor: serviceActor, provider }, member.reference),
        changeRole({ service: holdfast.service, actor: serviceActor, provider }, user, {
          role: 'reader',
          resourceIds: [],
        }),
        removeStaff({ service: holdfast.service, actor: serviceActor, provider }, practice.owner),
        changeRole({ service: holdfast.service, actor: serviceActor, provider }, former, {
          role: 'reader',
          resourceIds: [],
        }),
      ])
      const { rows } = await db.pool.query(
        `select 1 from provider join staff on staff.provider_id = provider.id and staff.user_id = owner_id
         where provider.uuid = $1`,
        [practice.uuid],
      )
      expect(rows).toHaveLength(1)
    }
  })
})
