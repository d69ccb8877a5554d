// A whole session as existing booking widgets send it: over real sockets, with the older prefix, unencoded at signs, the
// text `undefined` for missing values, and no Content-Type without a body.

import { beforeEach, describe, expect, it } from 'vitest'
import { makePractice, makeProduct, makeRoom, makeTimeslot, setChannel } from '../support/build.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService()
const origin = await holdfast.app.listen({ port: 0, host: '127.0.0.1' })
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org' })
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

type Body = Record<string, Answer['body']>
const page = 'https://shop.example'

/** Nothing is encoded, the origin is the widget's page, and no cookies are sent. */
async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const url = `${origin}/rest/1${path}${path.includes('?') ? '&' : '?'}X-DISABLE-COOKIES=true`
  const response = await fetch(url, {
    method,
    headers: { origin: page, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    body: body && JSON.stringify(body),
  })
  expect(response.headers.get('access-control-allow-origin')).toBe(page)
  expect(response.headers.get('access-control-allow-credentials')).toBe('true')
  expect(response.headers.get('set-cookie')).toBeNull()
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as Body) }
}

/** Two Resources with two Products, open on a winter and on a summer day. */
async function shop() {
  const where = await makePractice(holdfast.crm, { email: 'desk@example.org' })
  const long = await makeProduct(holdfast.crm, where, {
    name: 'Long',
    minDuration: 60,
    description: 'Bring **tea**',
  })
  const other = await makeRoom(holdfast.crm, where)
  for (const room of [where, other])
    for (const date of ['2030-01-07', '2030-07-08'])
      await makeTimeslot(holdfast.crm, room, { start: `${date}T08:00`, end: `${date}T12:00` })
  return { ...where, long: long.uuid, other }
}

/** A visitor of Berlin who sees 10:00 writes T10:00:00Z. */
const wallClock = (text: string) => `${text.slice(0, 19)}.000Z`

describe('a widget session', () => {
  it('works from the first list to the cancellation', async () => {
    const { resource, resourceUuid, long } = await shop()

    const place = await send(
      'POST',
      `/resources/public_data?channelKey=undefined&ref=${resource}&tslRefs=undefined`,
    )
    expect(place.body).toMatchObject({
      ref: resource,
      resource: { uuid: resourceUuid },
      channel: { bookingProcess: 'IMMEDIATE' },
    })
    const ref = place.body!.ref

    const active = await send(
      'POST',
      `/products/active_products?channelKey=undefined&ref=${ref}&tslRefs=undefined`,
    )
    const product = active.body!.products.find((one: Body) => one.uuid === long)
    expect(product).toMatchObject({
      name: 'Long',
      minDuration: 60,
      maxDuration: null,
      exclusive: false,
      detailsPre: 'Bring **tea**',
    })
    expect((await send('GET', `/products/${long}/bookingConfig`)).status).toBe(404)

    const list = () =>
      send('POST', `/resources/${ref}/upcoming_bookables?prdRef=${long}&channelKey=undefined`)
    const before = await list()
    const { public_visible, ...days } = before.body!
    expect(public_visible).toBe(true)
    expect(Object.keys(days)).toEqual(['2030-01-07', '2030-07-08'])
    const slot = days['2030-07-08'].find((one: Body) => one.start === '2030-07-08T10:00:00+02:00')
    expect(slot).toMatchObject({ kind: 'models.Bookable', end: '2030-07-08T11:00:00+02:00' })

    const reserved = await send('POST', `/resources/${ref}/reserve_appointment?channelKey=undefined`, {
      timeslotUuid: slot.timeslot_uuid,
      appointmentUuid: undefined,
      productUuid: long,
      from: wallClock(slot.start),
      to: wallClock(slot.end),
    })
    expect(reserved.status).toBe(200)
    const { customer_uuid, appointment_uuid, timeslot_uuid } = reserved.body!.participation
    expect([customer_uuid, appointment_uuid, timeslot_uuid].every(Boolean)).toBe(true)
    expect(reserved.body!.participation.from).toBe('2030-07-08T08:00:00Z')
    expect((await list()).body!['2030-07-08'].map((one: Body) => one.start)).not.toContain(slot.start)

    const person = { email: 'walter@example.org', firstname: 'Walter', lastname: 'Lind' }
    const completed = await send(
      'POST',
      `/resources/${ref}/create_appointment_with_consumer?additionalParams=undefined&message=ring%20twice`,
      {
        start: slot.start,
        end: slot.end,
        product_uuid: long,
        timeslot_uuid,
        placeholder_id: customer_uuid,
        ...person,
        firstName: 'Walter',
        lastName: 'Lind',
        mobile: '+49 170 123',
        agbs: true,
        locale: 'de',
        channelId: 'RESOURCE_PUBLIC',
        favourite_colour: { nested: ['green'] },
        vehicle: 7,
      },
    )
    expect(completed.status).toBe(201)
    const { cancelLink, contact_channel } = completed.body!.createdAppointment
    expect(contact_channel).toEqual({ type: 'email', value: 'desk@example.org' })
    expect(completed.body!.createdAppointment.appointment_uuid).toBe(appointment_uuid)

    // The widget releases its hold right after the booking, with the same placeholder.
    const release = { placeholder_id: customer_uuid, appointment_id: appointment_uuid }
    expect((await send('POST', `/resources/${ref}/revoke_reservation`, release)).status).toBe(200)
    expect((await list()).body!['2030-07-08'].map((one: Body) => one.start)).not.toContain(slot.start)
    expect(await mailKindsTo(holdfast, person.email)).toEqual(['booked'])
    const notice = (await mailsTo(holdfast, 'desk@example.org')).at(-1)!
    expect([notice.kind, notice.text.includes('ring twice')]).toEqual(['booking-notice', true])

    // Later, the link in the email opens a page with the widget, which reads the parameters.
    const link = new URL(cancelLink)
    const [appointment] = link.hash.match(/[0-9a-f-]{36}$/)!
    const token = { 'X-SIGNED-APP-CUSTOMER': link.searchParams.get('X-SIGNED-APP-CUSTOMER')! }
    expect(link.searchParams.get('resId')).toBe(resourceUuid)
    expect(link.searchParams.get('pDataPlatform')).toBe('crm')
    const mine = await send('GET', '/bookables/cancelable_bookable', undefined, token)
    expect(mine.body!['2030-07-08'][0]).toMatchObject({ appointment_uuid: appointment, start: slot.start })
    const gone = await send(
      'DELETE',
      `/customers/${link.searchParams.get('pDataId')}/appointments/${appointment}?message=undefined`,
      undefined,
      token,
    )
    expect(gone.status).toBe(200)
    expect((await list()).body).toEqual(before.body)
  })

  it('releases the hold when the visitor closes the form', async () => {
    const { resource, long } = await shop()
    const list = () =>
      send('POST', `/resources/${resource}/upcoming_bookables?prdRef=${long}&channelKey=undefined`)
    const before = await list()
    const slot = before.body!['2030-01-07'][0]
    const reserved = await send('POST', `/resources/${resource}/reserve_appointment`, {
      timeslotUuid: slot.timeslot_uuid,
      productUuid: long,
      from: wallClock(slot.start),
      to: wallClock(slot.end),
    })
    const { customer_uuid: placeholder_id, appointment_uuid: appointment_id } = reserved.body!.participation
    for (let time = 0; time < 2; time++)
      expect(
        (await send('POST', `/resources/${resource}/revoke_reservation`, { placeholder_id, appointment_id }))
          .status,
      ).toBe(200)
    expect((await list()).body).toEqual(before.body)
  })

  it('can book any slot in "all resources" mode, where ref is repeated', async () => {
    const { resource, other, long } = await shop()
    const { body } = await send(
      'POST',
      `/resources/${resource}/upcoming_bookables?prdRef=${long}&channelKey=undefined&ref=${other.resource}&ref=${resource}`,
    )
    const slots = body!['2030-01-07']
    expect(slots).toHaveLength(14)
    const slot = slots.find((one: Body) => one.resource_uuid === other.resourceUuid)
    const reserved = await send('POST', `/resources/${resource}/reserve_appointment?ref=${other.resource}`, {
      timeslotUuid: slot.timeslot_uuid,
      productUuid: long,
      from: wallClock(slot.start),
      to: wallClock(slot.end),
    })
    expect([reserved.status, reserved.body!.participation.resource_uuid]).toEqual([200, other.resourceUuid])
  })

  it('can be limited to specific Timeslots and Products', async () => {
    const { resource, long } = await shop()
    const { body } = await send('POST', `/resources/${resource}/upcoming_bookables?prdRef=${long}`)
    const { timeslot_uuid } = body!['2030-01-07'][0]
    const products = await send('POST', `/products/specific_products?prdRefs=${long}&channelKey=undefined`)
    expect(products.body).toMatchObject([{ uuid: long }])
    const chosen = await send(
      'POST',
      `/bookables/specific_bookables?prdRef=${long}&channelKey=undefined&tslIds=${timeslot_uuid}`,
    )
    expect(chosen.body![0].bookables['2030-01-07']).toEqual(body!['2030-01-07'])
  })

  it('requests a booking for a known customer on a channel with confirmation', async () => {
    const { resource, resourceUuid, path, long, reference } = await shop()
    await setChannel(holdfast, resourceUuid, { bookingProcess: 'REQUESTED' }, 'RESOURCE_EXCLUSIVE')
    await holdfast.crm.post(`${path}/customers`, {
      customerReference: 'known@plat',
      providerReference: reference,
      userName: 'Known Customer',
      email: 'known@example.org',
    })
    const place = await send('POST', `/resources/public_data?channelKey=RESOURCE_EXCLUSIVE&ref=${resource}`)
    expect(place.body!.channel.bookingProcess).toBe('REQUESTED')
    expect((await send('GET', `/crms/plat/resources/${resource}/customers/known@plat/identify`)).status).toBe(
      404,
    )
    const { body } = await send(
      'POST',
      `/resources/${resource}/upcoming_bookables?prdRef=${long}&channelKey=RESOURCE_EXCLUSIVE`,
    )
    const slot = body!['2030-01-07'][2]
    const reserved = await send(
      'POST',
      `/resources/${resource}/reserve_appointment?channelKey=RESOURCE_EXCLUSIVE`,
      {
        timeslotUuid: slot.timeslot_uuid,
        productUuid: long,
        from: wallClock(slot.start),
        to: wallClock(slot.end),
      },
    )
    const completed = await send('POST', `/resources/${resource}/create_appointment_with_consumer`, {
      start: slot.start,
      end: slot.end,
      product_uuid: long,
      timeslot_uuid: reserved.body!.participation.timeslot_uuid,
      placeholder_id: reserved.body!.participation.customer_uuid,
      customer_id: 'known@plat',
      agbs: true,
      locale: 'de',
      channelId: 'RESOURCE_EXCLUSIVE',
    })
    expect(completed.status).toBe(201)
    expect(await mailKindsTo(holdfast, 'known@example.org')).toEqual(['requested'])
  })
})

describe('what widgets rely on', () => {
  it('a taken slot returns no 2xx status, and errors as an array', async () => {
    const { resource, long } = await shop()
    const { body } = await send('POST', `/resources/${resource}/upcoming_bookables?prdRef=${long}`)
    const slot = body!['2030-01-07'][0]
    const request = {
      timeslotUuid: slot.timeslot_uuid,
      productUuid: long,
      from: wallClock(slot.start),
      to: wallClock(slot.end),
    }
    await send('POST', `/resources/${resource}/reserve_appointment`, request)
    const late = await send('POST', `/resources/${resource}/reserve_appointment`, request)
    expect([late.status, Array.isArray(late.body!.errors), late.body!.errors[0].errorCode]).toEqual([
      412,
      true,
      '201',
    ])
  })

  it('the group key of the list and the day of a slot agree', async () => {
    const { resource } = await shop()
    const { body } = await send('POST', `/resources/${resource}/upcoming_bookables`)
    const { public_visible, ...days } = body!
    for (const [day, slots] of Object.entries(days))
      for (const slot of slots as Body[]) {
        expect(slot.start.slice(0, 10)).toBe(day)
        expect(slot.start).toMatch(/[+-]\d\d:\d\d$|Z$/)
      }
  })

  it('a reference may contain an unencoded at sign in path and query', async () => {
    const answer = await send(
      'POST',
      `/resources/${practice.resource}/upcoming_bookables?ref=${practice.resource}`,
    )
    expect(answer.status).toBe(204)
  })
})
