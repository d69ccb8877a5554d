// A small business and everything that can change what it offers: operations of consumers, the CRM, the console and jobs, and
// the passing of time. Each takes a number that picks a target. Operations may be refused, but nothing may break.

import { expect } from 'vitest'
import { extendHours } from '../../src/actions/scheduling/hours/hours.ts'
import { tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { purge } from '../../src/actions/scheduling/retention.ts'
import {
  makeAppointment,
  makeCustomer,
  makePractice,
  makeProduct,
  makeProfile,
  makeRoom,
  makeSeries,
  makeTimeslot,
  makeUser,
  type Practice,
  setClock,
  setProduct,
  unique,
} from './build.ts'
import { bookingOf, type Consumer, holdOf, newPerson, type Slot, slotsOf } from './consumer.ts'
import { moveBooking } from './moves.ts'
import { type Answer, consoleCall, type TestService } from './service.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Days of one run, counted from its first day. */
function calendarFrom(firstDay: string) {
  const dateOf = (index: number) =>
    new Date(Date.parse(`${firstDay}T00:00Z`) + index * day).toISOString().slice(0, 10)
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    dateOf,
    local: (index: number, hour: number, minutes = 0) => `${dateOf(index)}T${two(hour)}:${two(minutes)}`,
  }
}

/** Four days with Timeslots, one without; a Timeslot past midnight; buffers; a group created by the provider. */
export async function makeShop(holdfast: TestService, firstDay: string) {
  const { crm } = holdfast
  const calendar = calendarFrom(firstDay)
  const { local } = calendar
  const practice = await makePractice(crm)
  const [second, room] = [await makeProduct(crm, practice), await makeRoom(crm, practice)]
  const contact = await makeUser(crm, { mobile: '+491701234567' })
  const profile = await makeProfile(crm, practice, contact.reference)
  await setProduct(holdfast, practice.productUuid, { leadTimeMinutes: 10, followUpTimeMinutes: 20 })
  await setProduct(holdfast, second.uuid, { minDuration: 60 })
  const timeslots: string[] = []
  for (const place of [practice, room])
    for (const fields of [
      { start: local(0, 8), end: local(0, 11) },
      { start: local(1, 22), end: local(2, 4), defaultCapacity: 2 },
      { start: local(2, 10), end: local(2, 12), raster: 20 },
      { start: local(4, 10), end: local(4, 12) },
    ])
      timeslots.push((await makeTimeslot(crm, place, fields)).reference)
  const group = await makeAppointment(crm, practice, {
    start: local(3, 11),
    end: local(3, 12),
    capacity: 3,
    acceptBookings: true,
    contactReference: contact.reference,
  })
  return {
    holdfast,
    ...calendar,
    practice,
    room,
    second,
    contact,
    profile,
    timeslots,
    appointments: [group],
    participations: [] as string[],
    customers: [] as string[],
    series: [] as string[],
    closures: [] as string[],
    blocks: [] as string[],
    held: [] as { placeholder: string; slot: Slot }[],
    booked: [] as { cancelLink: string; moveLink: string }[],
    minutes: 0,
    begin: Date.parse(`${firstDay}T00:00Z`) - 2 * 60 * minute,
  }
}

export type Shop = Awaited<ReturnType<typeof makeShop>>

export type Verb = (shop: Shop, pick: number, by: Consumer) => Promise<unknown>

const one = <T>(some: T[], pick: number): T | undefined => some[pick % (some.length || 1)]
const takeOne = <T>(some: T[], pick: number): T | undefined => some.splice(pick % (some.length || 1), 1)[0]

/** Done or refused. */
function fine(answer: Answer): Answer {
  expect(answer.status, answer.text).toBeLessThan(500)
  return answer
}
const isDone = ({ status }: Answer) => status < 300

const placeOf = ({ practice, room }: Shop, pick: number): Practice => (pick % 4 === 3 ? room : practice)

async function anySlot(shop: Shop, pick: number, by: Consumer, place = placeOf(shop, pick)) {
  const answer = fine(await by.list(place.resource))
  const slots = answer.status === 200 ? slotsOf(answer).filter(slot => slot.products.length > 0) : []
  const slot = one(slots, pick)
  return slot && { ...slot, product_uuid: slot.product_uuid ?? slot.products[0]!.uuid }
}

const inConsole = async ({ holdfast }: Shop, method: string, path: string, body?: unknown) =>
  fine(await consoleCall(holdfast.app, method, path, body))

const appointmentPath = ({ practice }: Shop, reference: string) =>
  `${practice.path}/appointments/${encodeURIComponent(reference)}`

const asMover = ({ moveLink }: { moveLink: string }) => ({
  headers: { 'x-signed-app-customer': new URL(moveLink).pathname.split('/').at(-1)! },
})

const consumers: Record<string, Verb> = {
  async hold(shop, pick, by) {
    const slot = await anySlot(shop, pick, by)
    if (!slot) return
    const replaced = pick % 3 === 0 ? shop.held.pop() : undefined
    const fields = replaced ? { placeholder_id: replaced.placeholder } : {}
    const answer = fine(await by.reserve(slot.resource_uuid, holdOf(slot, fields)))
    if (isDone(answer)) shop.held.push({ placeholder: answer.body.participation.customer_uuid, slot })
  },
  async complete(shop, pick, by) {
    const held = takeOne(shop.held, pick)
    if (!held) return
    const slot = pick % 5 === 4 ? await anySlot(shop, pick, by) : held.slot
    if (!slot) return
    const body = bookingOf(slot, { placeholder_id: held.placeholder, ...newPerson() })
    const answer = fine(await by.complete(slot.resource_uuid, body))
    if (isDone(answer)) shop.booked.push(answer.body.createdAppointment)
  },
  async book(shop, pick, by) {
    const slot = await anySlot(shop, pick, by)
    if (!slot) return
    const answer = fine(await by.complete(slot.resource_uuid, bookingOf(slot, newPerson())))
    if (isDone(answer)) shop.booked.push(answer.body.createdAppointment)
  },
  async release(shop, pick, by) {
    const held = takeOne(shop.held, pick)
    if (held) fine(await by.release(held.slot.resource_uuid, held.placeholder))
  },
  async cancel(shop, pick, by) {
    const booked = takeOne(shop.booked, pick)
    if (booked) fine(await by.cancel(booked.cancelLink))
  },
  async 'move by the consumer'(shop, pick, by) {
    const booked = one(shop.booked, pick)
    const slot = booked && (await anySlot(shop, pick + 1, by))
    if (!slot) return
    const held = pick % 2 ? shop.held.pop() : undefined
    const path = `/resources/${slot.resource_uuid}/move_appointment`
    const body = {
      timeslot_uuid: slot.appointment_uuid ?? slot.timeslot_uuid,
      start: slot.start,
      end: slot.end,
      ...(held ? { placeholder_id: held.placeholder } : {}),
    }
    fine(await by.send('POST', path, body, asMover(booked)))
  },
  async 'hold for a move'(shop, pick, by) {
    const booked = one(shop.booked, pick)
    if (!booked) return
    const path = `/resources/${placeOf(shop, pick).resourceUuid}`
    const answer = fine(await by.send('GET', `${path}/upcoming_bookables`, undefined, asMover(booked)))
    const slot = answer.status === 200 && one(slotsOf(answer), pick)
    if (!slot || slot.products.length === 0) return
    const held = fine(await by.send('POST', `${path}/reserve_appointment`, holdOf(slot), asMover(booked)))
    if (isDone(held)) shop.held.push({ placeholder: held.body.participation.customer_uuid, slot })
  },
  /** Concurrent, so they share a transaction. */
  async 'two consumers move'(shop, pick, by) {
    const [first, second] = [await anySlot(shop, pick, by), await anySlot(shop, pick + 5, by)]
    if (!first || !second) return
    const moving = shop.booked.slice(-2).map((one, index) => moveBooking(by, one, index ? second : first))
    for (const answer of await Promise.all(moving)) fine(answer)
  },
}

const ofTheCrm: Record<string, Verb> = {
  async 'an Appointment'(shop, pick) {
    const fields = {
      start: shop.local(pick % 6, 9 + (pick % 15)),
      end: shop.local((pick % 6) + (pick % 15 === 14 ? 1 : 0), (10 + (pick % 15)) % 24),
      acceptBookings: pick % 2 === 0,
      capacity: 1 + (pick % 3),
    }
    shop.appointments.push(await makeAppointment(shop.holdfast.crm, placeOf(shop, pick), fields))
  },
  async 'an Appointment cancelled or deleted'(shop, pick) {
    const appointment = takeOne(shop.appointments, pick)
    const path = `${shop.practice.path}/appointments${pick % 2 ? '/withoutNotification' : ''}`
    if (appointment)
      fine(await shop.holdfast.crm.delete(path, { appointmentReference: appointment.reference }))
  },
  async 'an Appointment moved'(shop, pick) {
    const appointment = one(shop.appointments, pick)
    if (!appointment) return
    const body = {
      start: shop.local(pick % 5, 8 + (pick % 4)),
      end: shop.local(pick % 5, 9 + (pick % 4)),
      ...(pick % 3 === 0 ? { resourceReference: shop.room.resource } : {}),
    }
    const path = `${appointmentPath(shop, appointment.reference)}/move?ignoreConflicts=${pick % 2 === 0}`
    fine(await shop.holdfast.crm.post(path, body))
  },
  async 'a series'(shop, pick) {
    const series_data = { from: shop.local(0, 13), to: shop.local(3 + (pick % 3), 14), raster: 60 }
    const fields = { acceptBookings: pick % 2 === 0, capacity: 2, series_data }
    shop.series.push((await makeSeries(shop.holdfast.crm, shop.practice, fields)).seriesId)
  },
  async 'a series deleted'(shop, pick) {
    const seriesId = takeOne(shop.series, pick)
    const path = `${shop.practice.path}/appointments/withoutNotification`
    if (seriesId) fine(await shop.holdfast.crm.delete(path, { seriesId }))
  },
  async 'a customer joins'(shop, pick) {
    const appointment = one(shop.appointments, pick)
    if (!appointment) return
    const { customerReference } = await makeCustomer(shop.holdfast.crm, shop.practice)
    const reference = unique('participation')
    const answer = fine(
      await shop.holdfast.crm.post(`${shop.practice.path}/participations`, {
        reference,
        appointmentReference: appointment.reference,
        customerReference,
        state: ['BOOKED', 'REQUESTED', 'RESERVED'][pick % 3],
      }),
    )
    if (!isDone(answer)) return
    shop.participations.push(reference)
    shop.customers.push(customerReference)
  },
  async 'a Participation changes'(shop, pick) {
    const reference = one(shop.participations, pick)
    const path = `${shop.practice.path}/participations/${encodeURIComponent(reference ?? '')}`
    const state = ['CANCELED', 'BOOKED', 'DELETED'][pick % 3]
    if (reference) fine(await shop.holdfast.crm.post(path, { state }))
  },
  async 'a Customer erased'(shop, pick) {
    const reference = takeOne(shop.customers, pick)
    const path = `${shop.practice.path}/customers/${encodeURIComponent(reference ?? '')}`
    if (reference) fine(await shop.holdfast.crm.delete(`${path}?ignoreFutureAppointments=true`))
  },
  async 'a Timeslot'(shop, pick) {
    const fields = { start: shop.local(5, pick % 20), end: shop.local(5, (pick % 20) + 2), raster: 15 }
    shop.timeslots.push((await makeTimeslot(shop.holdfast.crm, placeOf(shop, pick), fields)).reference)
  },
  async 'a Timeslot changes'(shop, pick) {
    const reference = one(shop.timeslots, pick)
    const path = `${shop.practice.path}/timeslots/${encodeURIComponent(reference ?? '')}`
    const changes = [
      { defaultCapacity: 3 },
      { state: 'CREATED' },
      { state: 'BOOKABLE', defaultAcceptBookings: true },
      { raster: 15 },
      { defaultAcceptBookings: false },
    ]
    if (reference) fine(await shop.holdfast.crm.put(path, one(changes, pick)))
  },
  async 'a Timeslot deleted'(shop, pick) {
    const reference = one(shop.timeslots, pick)
    const path = `${shop.practice.path}/timeslots/${encodeURIComponent(reference ?? '')}`
    if (reference) fine(await shop.holdfast.crm.delete(path))
  },
  async 'the Resource changes'(shop, pick) {
    const changes = [
      { publicName: unique('Room') },
      { products: [shop.practice.product] },
      { contact: shop.contact.reference },
      { contact: shop.contact.reference, contactProfileReference: shop.profile.reference },
      { products: [] },
      { archived: true },
      { archived: false },
    ]
    const path = `${shop.practice.path}/resources/${encodeURIComponent(shop.practice.resource)}`
    fine(await shop.holdfast.crm.post(path, one(changes, pick)))
  },
  async 'a Product changes'({ holdfast, practice, second }, pick) {
    const { reference } = pick % 2 ? second : { reference: practice.product }
    const body = { reference, name: unique('Talk'), minDuration: [null, 30, 45, 90][pick % 4] }
    fine(await holdfast.crm.post(`${practice.path}/products`, body))
  },
  async 'a new Product'({ holdfast, practice }, pick) {
    await makeProduct(holdfast.crm, practice, { minDuration: 10 * (1 + (pick % 5)) })
  },
  async 'the contact changes'({ holdfast, practice, contact, profile }, pick) {
    const channels = [{ type: 'phone', value: `+4930${1000 + pick}` }]
    const body = { name: unique('Contact'), contactChannels: channels }
    const general = `/user/${encodeURIComponent(contact.reference)}/generalContactProfile`
    if (pick % 3 === 0) fine(await holdfast.crm.put(general, body))
    else if (pick % 3 === 1)
      fine(await holdfast.crm.post('/user', { ...contact, mobile: `+49170${100000 + pick}` }))
    else {
      const own = { reference: profile.reference, userReference: contact.reference }
      const of = { providerReference: practice.reference }
      fine(await holdfast.crm.post(`${practice.path}/contactProfile`, { ...own, ...of, ...body }))
    }
  },
}

const ofTheConsole: Record<string, Verb> = {
  async 'a channel'(shop, pick) {
    const changes = [
      { minimumNoticeMinutes: 60 },
      { minimumNoticeMinutes: 1500, horizonDays: 3 },
      { horizonDays: 2 },
      { minimumNoticeMinutes: 0, horizonDays: null },
      { showFull: true },
      { showFull: false },
      { visible: false },
      { visible: true },
      { products: [shop.practice.productUuid] },
      { products: null },
      { bookingProcess: 'REQUESTED' },
      { bookingProcess: 'IMMEDIATE' },
    ]
    const path = `/resources/${shop.practice.resourceUuid}/channels/RESOURCE_PUBLIC`
    await inConsole(shop, 'PATCH', path, one(changes, pick))
  },
  async buffers(shop, pick) {
    const uuid = pick % 2 ? shop.second.uuid : shop.practice.productUuid
    const change = { leadTimeMinutes: (pick % 3) * 15, followUpTimeMinutes: (pick % 4) * 20 }
    await inConsole(shop, 'PATCH', `/products/${uuid}`, change)
  },
  async 'the Provider'(shop, pick) {
    const changes = [
      { timeZone: 'America/New_York' },
      { timeZone: 'Europe/Berlin' },
      { language: 'fr' },
      { email: `practice${pick}@example.org` },
      { phone: `+4930${2000 + pick}` },
    ]
    await inConsole(shop, 'PATCH', `/providers/${shop.practice.uuid}`, one(changes, pick))
  },
  async 'a closure'(shop, pick) {
    const answer = await inConsole(shop, 'POST', `/providers/${shop.practice.uuid}/closures`, {
      from: shop.local(pick % 3, 9),
      to: pick % 2 ? shop.local(pick % 3, 10) : shop.local((pick % 3) + 1, 1),
      reason: unique('closed'),
      ...(pick % 3 === 0 ? { resources: [shop.room.resourceUuid] } : {}),
    })
    if (isDone(answer)) shop.closures.push(answer.body.closure.uuid)
  },
  async 'a closure changes or ends'(shop, pick) {
    const uuid = pick % 2 ? takeOne(shop.closures, pick) : one(shop.closures, pick)
    const path = `/providers/${shop.practice.uuid}/closures/${uuid}`
    if (!uuid) return
    if (pick % 2) return inConsole(shop, 'DELETE', path)
    const change = pick % 4 ? { to: shop.local(4, 11) } : { resources: [shop.practice.resourceUuid] }
    await inConsole(shop, 'PATCH', path, change)
  },
  async holidays(shop, pick) {
    const body = { country: 'DE', year: Number(shop.dateOf(pick % 2).slice(0, 4)) }
    await inConsole(shop, 'POST', `/providers/${shop.practice.uuid}/closures/holidays`, body)
  },
  async 'a block'(shop, pick) {
    const times = { from: shop.local(pick % 5, 8), to: shop.local(pick % 5, 10, 30) }
    const path = `/resources/${shop.practice.resourceUuid}/blocks`
    const answer = await inConsole(shop, 'POST', path, { ...times, reason: unique('block') })
    if (isDone(answer)) shop.blocks.push(answer.body.block?.uuid ?? answer.body.uuid)
  },
  async 'a block ends'(shop, pick) {
    const uuid = takeOne(shop.blocks, pick)
    if (uuid) await inConsole(shop, 'DELETE', `/resources/${shop.practice.resourceUuid}/blocks/${uuid}`)
  },
  async hours(shop, pick) {
    const rule = { weekdays: ['1', '2', '3', '4', '5', '6', '7'], from: '14:00', to: '16:00', raster: 60 }
    const rules = pick % 3 === 2 ? [] : [{ ...rule, to: pick % 2 ? '17:00' : '16:00' }]
    const path = `/resources/${shop.practice.resourceUuid}/hours`
    await inConsole(shop, 'PUT', path, { hoursWeeks: 1, rules })
  },
  async 'time opened'(shop, pick) {
    const times = { start: shop.local(3, 8 + (pick % 8)), end: shop.local(3, 10 + (pick % 8)) }
    const path = `/resources/${shop.practice.resourceUuid}/timeslots`
    const answer = await inConsole(shop, 'POST', path, { ...times, raster: 30, capacity: 1 + (pick % 2) })
    if (isDone(answer) && pick % 3 === 0) await inConsole(shop, 'DELETE', `/timeslots/${answer.body.uuid}`)
  },
  async 'a walk-in'(shop, pick) {
    const hour = 8 + (pick % 12)
    await inConsole(
      shop,
      'POST',
      `/providers/${shop.practice.uuid}/appointments?ignoreConflicts=${pick % 2 === 0}`,
      {
        resourceUuid: placeOf(shop, pick).resourceUuid,
        productUuid: shop.practice.productUuid,
        start: shop.local(pick % 5, hour),
        end: shop.local(pick % 5, hour, 40),
        customer: { name: 'Walt Inn', email: `${unique('walk').replace('@plat', '')}@example.org` },
      },
    )
  },
  async 'an Appointment in the console'(shop, pick) {
    const appointment = one(shop.appointments, pick)
    if (!appointment) return
    const path = `/appointments/${appointment.uuid}`
    const customer = { name: 'Joan', email: `${unique('joan').replace('@plat', '')}@example.org` }
    const times = { start: shop.local(pick % 4, 15), end: shop.local(pick % 4, 16) }
    if (pick % 4 === 0) await inConsole(shop, 'PATCH', path, { capacity: pick % 5 })
    else if (pick % 4 === 1) await inConsole(shop, 'POST', `${path}/participations`, { customer })
    else if (pick % 4 === 2) await inConsole(shop, 'POST', `${path}/move?ignoreConflicts=true`, times)
    else await inConsole(shop, 'POST', `${path}/cancel`, {})
  },
  async 'an answer to a request'(shop, pick) {
    const { body } = await inConsole(shop, 'GET', `/providers/${shop.practice.uuid}/requests`)
    const request = one(body.requests as { uuid: string }[], pick)
    const answer = pick % 2 ? 'accept' : 'decline'
    if (request) await inConsole(shop, 'POST', `/participations/${request.uuid}/decide`, { answer })
  },
}

const byThemselves: Record<string, Verb> = {
  async 'time passes'(shop, pick) {
    shop.minutes += [2, 4, 45, 600, 1440][pick % 5]!
    setClock(shop.holdfast, new Date(shop.begin + shop.minutes * minute).toISOString())
  },
  tidying: ({ holdfast }) => tidy(holdfast.service),
  'hours go on': ({ holdfast }) => extendHours(holdfast.service),
  'what is old is forgotten': ({ holdfast }) => purge(holdfast.service, { dryRun: false }),
}

export const verbs: Record<string, Verb> = { ...consumers, ...ofTheCrm, ...ofTheConsole, ...byThemselves }
