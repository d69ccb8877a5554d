import { describe, expect, it } from 'vitest'
import {
  appointmentBody,
  makeAppointment,
  makePractice,
  makeProduct,
  makeProfile,
  makeRoom,
  makeTimeslot,
  makeUser,
  type Practice,
  setChannel,
  unique,
} from '../support/build.ts'
import {
  asConsumer,
  bookingOf,
  holdOf,
  overApp,
  type Query,
  queryText,
  slotsOf,
} from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

// Appointments that the provider makes for consumers to join.

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org' })
const consumer = asConsumer(overApp(holdfast.app))

const open = { acceptBookings: true, capacity: 2 }
const slots = async (where: Practice, query?: Query) => slotsOf(await consumer.list(where.resource, query))
const publicData = async (query: Query) =>
  (await consumer.send('POST', `/resources/public_data${queryText(query)}`)).body
const activeProducts = async (query: Query) =>
  (await consumer.send('POST', `/products/active_products${queryText(query)}`)).body.products

describe('the contact of an Appointment', () => {
  it.each(['contact', 'contactReference'])(
    'named %s, is shown by list, public data, booking and mails',
    async name => {
      const where = await makeRoom(holdfast.crm, practice, { contact: practice.owner })
      const { reference: user } = await makeUser(holdfast.crm, { firstName: 'Ada' })
      const { reference: profile } = await makeProfile(holdfast.crm, practice, user)
      const appointment = await makeAppointment(holdfast.crm, where, {
        ...open,
        [name]: user,
        contactProfileReference: profile,
      })
      const channel = { type: 'email', value: 'profile@example.org' }
      const [slot] = await slots(where)
      expect(slot!.contact_channel).toEqual(channel)
      const shown = await publicData({ tslRefs: appointment.reference })
      expect(shown.contact).toMatchObject({ name: 'Public name', email: channel.value })
      expect((await publicData({ ref: where.resource })).contact.email).toBe(practice.ownerEmail)
      const person = bookingOf(slot!)
      const { body } = await consumer.complete(where.resource, person)
      expect(body.createdAppointment.contact_channel).toEqual(channel)
      expect((await mailsTo(holdfast, person.email))[0]!.text).toContain('Public name')
      expect((await mailsTo(holdfast, channel.value)).at(-1)!.kind).toBe('booking-notice')
    },
  )

  it('changes in the list as soon as the contact does', async () => {
    const where = await makeRoom(holdfast.crm, practice)
    const user = await makeUser(holdfast.crm)
    await makeAppointment(holdfast.crm, where, { ...open, contact: user.reference })
    const shown = async () => (await slots(where))[0]!.contact_channel!.value
    expect(await shown()).toBe(user.email)
    await holdfast.crm.put(`/user/${encodeURIComponent(user.reference)}/generalContactProfile`, {
      name: 'Ada',
      contactChannels: [{ type: 'phone', value: '030 1' }],
    })
    expect(await shown()).toBe('030 1')
  })

  it('must own the profile, and a profile needs a contact', async () => {
    const { reference: user } = await makeUser(holdfast.crm)
    const { reference: contactProfileReference } = await makeProfile(holdfast.crm, practice, practice.owner)
    const create = (fields: object) =>
      holdfast.crm.post(`${practice.path}/appointments`, { ...appointmentBody(practice), ...fields })
    for (const fields of [{ contact: user, contactProfileReference }, { contactProfileReference }])
      expectRefusal(await create(fields), 400, 'invalid-field', 'contactProfileReference')
  })
})

describe('an Appointment with a Product that the Resource does not link', () => {
  async function unlinked() {
    const where = await makeRoom(holdfast.crm, practice, { products: [practice.product] })
    const special = await makeProduct(holdfast.crm, practice, {
      reference: unique('special'),
      name: 'Special',
    })
    const appointment = await makeAppointment(holdfast.crm, where, {
      ...open,
      productReference: special.reference,
    })
    return { where, special, appointment }
  }

  it('is listed with it, held and booked', async () => {
    const { where, special } = await unlinked()
    for (const query of [{}, { prdRef: special.uuid }]) {
      const [slot] = await slots(where, query)
      expect(slot).toMatchObject({ product_uuid: special.uuid, product_name: 'Special', capacity_left: 2 })
    }
    const [slot] = await slots(where)
    const held = await consumer.reserve(where.resource, holdOf(slot!))
    expect(held.status).toBe(200)
    const placeholder_id = held.body.participation.customer_uuid
    expect((await consumer.complete(where.resource, bookingOf(slot!, { placeholder_id }))).status).toBe(201)
    const { product_uuid, ...alone } = bookingOf(slot!)
    expect((await consumer.complete(where.resource, alone)).status).toBe(201)
    expect(await slots(where)).toEqual([])
  })

  it('names it in active products, which name the Resource’s own otherwise', async () => {
    const { where, special, appointment } = await unlinked()
    expect(await activeProducts({ tslRefs: appointment.uuid })).toMatchObject([{ uuid: special.uuid }])
    expect(await activeProducts({ ref: where.resource })).toMatchObject([{ uuid: practice.productUuid }])
  })

  it('is not sold through a channel that leaves the Product out', async () => {
    const { where, special, appointment } = await unlinked()
    await setChannel(holdfast, where.resourceUuid, { products: [practice.productUuid] })
    expect(await slots(where)).toEqual([])
    const request = bookingOf({
      timeslot_uuid: appointment.uuid,
      appointment_uuid: appointment.uuid,
      start: appointment.start,
      end: appointment.end,
      product_uuid: special.uuid,
    } as Parameters<typeof bookingOf>[0])
    expectRefusal(await consumer.complete(where.resource, request), 412, '201')
  })
})

it('public data name the Products that the channel sells', async () => {
  const shop = await makePractice(holdfast.crm)
  const second = await makeProduct(holdfast.crm, shop)
  const supported = async () => (await publicData({ ref: shop.resource })).resource.supportedProducts
  expect(await supported()).toEqual([shop.productUuid, second.uuid])
  await setChannel(holdfast, shop.resourceUuid, { products: [second.uuid] })
  expect(await supported()).toEqual([second.uuid])
})

it('an Appointment and a Timeslot with no places are not shown as full ones', async () => {
  const where = await makeRoom(holdfast.crm, practice)
  await setChannel(holdfast, where.resourceUuid, { showFull: true })
  await makeAppointment(holdfast.crm, where, { acceptBookings: true, capacity: 0 })
  await makeTimeslot(holdfast.crm, where, { defaultCapacity: 0 })
  expect(await slots(where)).toEqual([])
})

describe('an Appointment moved to another Resource while a client joins it', () => {
  const whileMoved = <T>(uuid: string, from: Practice, to: Practice, work: () => Promise<T>) =>
    whileWaiting(
      holdfast,
      {
        async before(rival) {
          const lock = 'update resource set revision = revision + 1 where uuid = any ($1)'
          await rival.query(lock, [[from.resourceUuid, to.resourceUuid]])
          const move = `update appointment set resource_id = (select id from resource where uuid = $2) where uuid = $1`
          await rival.query(move, [uuid, to.resourceUuid])
        },
      },
      work,
    )

  it.each(['reserve', 'complete'] as const)('is there for them all the same: %s', async verb => {
    const [here, there] = [await makeRoom(holdfast.crm, practice), await makeRoom(holdfast.crm, practice)]
    const { uuid } = await makeAppointment(holdfast.crm, here, open)
    const [slot] = await slots(here)
    const body = verb === 'reserve' ? holdOf(slot!) : { ...bookingOf(slot!), timeslot_uuid: uuid }
    const answer = await whileMoved(uuid, here, there, () => consumer[verb](here.resource, body))
    expect(answer.status).toBe(verb === 'reserve' ? 200 : 201)
    expect((await slots(there))[0]).toMatchObject({ appointment_uuid: uuid, capacity_left: 1 })
  })

  it('is unknown once its Resource is deleted', async () => {
    const here = await makeRoom(holdfast.crm, practice)
    const { uuid } = await makeAppointment(holdfast.crm, here, open)
    const [slot] = await slots(here)
    const answer = await whileWaiting(
      holdfast,
      {
        before: rival =>
          rival.query('update resource set deleted_at = now(), revision = revision + 1 where uuid = $1', [
            here.resourceUuid,
          ]),
      },
      () => consumer.complete(here.resourceUuid, { ...bookingOf(slot!), timeslot_uuid: uuid }),
    )
    expect(answer.status).toBe(404)
  })
})
