// A list that is known is mended where it was touched. Whatever happens, and on whichever instance, it must say what a list
// says that is made of nothing.

import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { NearbyReader } from '../../src/db/booking/nearby.ts'
import {
  makeAppointment,
  makeParticipation,
  makePractice,
  makeProduct,
  makeRoom,
  makeTimeslot,
  setChannel,
  setClock,
  setProduct,
  unique,
} from '../support/build.ts'
import {
  asConsumer,
  bookingOf,
  type Consumer,
  holdOf,
  newPerson,
  overApp,
  type Query,
  slotsOf,
} from '../support/consumer.ts'
import { useSecondInstance } from '../support/instances.ts'
import { consoleCall, useService } from '../support/service.ts'

vi.setConfig({ testTimeout: 60_000 })

const test = await useService({ RATE_LIMIT_PUBLIC: '0' })
const known = [test.app, await useSecondInstance(test)].map(app => asConsumer(overApp(app)))
const config = { ...test.service.config, listCacheMegabytes: 0 }
const forgetful = asConsumer(overApp(await useSecondInstance(test, { config })))

const local = (day: number, hour: number, minute = 0) =>
  `2030-01-${String(7 + day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`

/** Three days, one of them without Timeslots; a Timeslot past midnight; buffers; groups of consumers and of the provider. */
async function makeShop() {
  const practice = await makePractice(test.crm)
  const [second, room] = [await makeProduct(test.crm, practice), await makeRoom(test.crm, practice)]
  await setProduct(test, practice.productUuid, { leadTimeMinutes: 10, followUpTimeMinutes: 20 })
  await setProduct(test, second.uuid, { minDuration: 60 })
  for (const place of [practice, room]) {
    await makeTimeslot(test.crm, place, { start: local(0, 8), end: local(0, 11) })
    await makeTimeslot(test.crm, place, { start: local(1, 22), end: local(2, 2), defaultCapacity: 2 })
    await makeTimeslot(test.crm, place, { start: local(2, 10), end: local(2, 12), raster: 20 })
    await makeTimeslot(test.crm, place, { start: local(4, 10), end: local(4, 12) })
  }
  const group = await makeAppointment(test.crm, practice, {
    start: local(3, 11),
    end: local(3, 12),
    capacity: 3,
    acceptBookings: true,
    contactReference: practice.owner,
  })
  return { practice, room, group, held: [] as Hold[], booked: [] as string[], minute: 0 }
}
type Shop = Awaited<ReturnType<typeof makeShop>>
type Hold = { placeholder: string; slot: ReturnType<typeof slotsOf>[number] }

type Step = (shop: Shop, pick: number, by: Consumer) => Promise<unknown>

const anySlot = async ({ practice }: Shop, pick: number, by: Consumer) => {
  const slots = slotsOf(await by.list(practice.resource)).filter(one => one.products.length > 0)
  const slot = slots[pick % (slots.length || 1)]
  return slot && { ...slot, product_uuid: slot.product_uuid ?? slot.products[0]!.uuid }
}
const isFine = (status: number) => expect([200, 201, 412]).toContain(status)

const hold: Step = async (shop, pick, by) => {
  const slot = await anySlot(shop, pick, by)
  if (!slot) return
  const replaced = pick % 3 === 0 ? shop.held.pop() : undefined
  const answer = await by.reserve(
    shop.practice.resource,
    holdOf(slot, replaced ? { placeholder_id: replaced.placeholder } : {}),
  )
  isFine(answer.status)
  if (answer.status === 200) shop.held.push({ placeholder: answer.body.participation.customer_uuid, slot })
}

const steps: Record<string, Step> = {
  hold,
  'hold more': hold,
  async 'complete a hold'(shop, pick, by) {
    const [one] = shop.held.splice(pick % (shop.held.length || 1), 1)
    if (!one) return
    const body = bookingOf(one.slot, { placeholder_id: one.placeholder, ...newPerson() })
    const answer = await by.complete(shop.practice.resource, body)
    isFine(answer.status)
    if (answer.status === 201) shop.booked.push(answer.body.createdAppointment.cancelLink)
  },
  async 'book at once'(shop, pick, by) {
    const slot = await anySlot(shop, pick, by)
    if (slot) isFine((await by.complete(shop.practice.resource, bookingOf(slot, newPerson()))).status)
  },
  async release(shop, pick, by) {
    const [one] = shop.held.splice(pick % (shop.held.length || 1), 1)
    if (one) await by.release(shop.practice.resource, one.placeholder)
  },
  async 'cancel by the consumer'(shop, _pick, by) {
    const link = shop.booked.pop()
    if (link) await by.cancel(link)
  },
  'an Appointment of the CRM': ({ practice }, pick) =>
    makeAppointment(test.crm, practice, {
      start: local(pick % 6, 9 + (pick % 3)),
      end: local(pick % 6, 10 + (pick % 3)),
      acceptBookings: pick % 2 === 0,
      capacity: 2,
    }),
  async 'and its end'(shop, pick) {
    const made = await makeAppointment(test.crm, shop.practice, { start: local(0, 9), end: local(0, 9, 30) })
    const path = `${shop.practice.path}/appointments${pick % 2 ? '/withoutNotification' : ''}`
    const { status } = await test.crm.delete(path, { appointmentReference: made.reference })
    expect(status).toBeLessThan(300)
  },
  'somebody in the group': ({ practice, group }, pick) =>
    makeParticipation(
      test.crm,
      practice,
      group.reference,
      (['BOOKED', 'REQUESTED', 'RESERVED'] as const)[pick % 3]!,
    ),
  async 'time passes'(shop, pick) {
    shop.minute += [2, 4, 45, 600][pick % 4]!
    setClock(test, new Date(Date.parse('2030-01-06T22:00:00Z') + shop.minute * 60_000).toISOString())
  },
  tidying: () => tidy(test.service),
  'a new Timeslot': ({ practice }, pick) =>
    makeTimeslot(test.crm, practice, { start: local(5, pick % 20), end: local(5, (pick % 20) + 2) }),
  closure: ({ practice }, pick) =>
    consoleCall(test.app, 'POST', `/providers/${practice.uuid}/closures`, {
      from: local(pick % 3, 9),
      to: local(pick % 3, 10),
      reason: unique('closed'),
    }),
  channel: ({ practice }, pick) =>
    setChannel(test, practice.resourceUuid, {
      minimumNoticeMinutes: [0, 60, 1500][pick % 3]!,
      horizonDays: [null, 2, 3][pick % 3]!,
      showFull: pick % 2 === 0,
    }),
}

/** Some as any page asks, one grouped by what comes again and again, one of two Resources, one of a Product, one of a time. */
const questions = ({ practice, room }: Shop): [string, Query][] => [
  [practice.resource, {}],
  [practice.resource, { groupFormat: 'HH' }],
  [practice.resourceUuid, { ref: [room.resource] }],
  [practice.resource, { prdRef: practice.productUuid }],
  [practice.resource, { from: '2030-01-08', to: '2030-01-09T23:30' }],
]

/** Each of them once at least, where it finds something to do. */
const everyStep = [
  ...[
    'hold',
    'hold',
    'release',
    'hold',
    'hold more',
    'complete a hold',
    'cancel by the consumer',
    'book at once',
  ],
  ...[
    'somebody in the group',
    'an Appointment of the CRM',
    'and its end',
    'hold',
    'time passes',
    'tidying',
    'release',
  ],
  ...['closure', 'book at once', 'channel', 'a new Timeslot', 'book at once'],
].map((name, index) => ({ name, pick: index + 1, by: index % 2 }))

it('says what a list made of nothing says, whatever happened to it, on every instance', async () => {
  const mended = vi.spyOn(NearbyReader.prototype, 'read')
  const aStep = fc.record({
    name: fc.constantFrom(...Object.keys(steps)),
    pick: fc.nat({ max: 100 }),
    by: fc.nat({ max: 1 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 6, maxLength: 10 }), async story => {
      setClock(test, '2030-01-06T22:00:00Z')
      const shop = await makeShop()
      for (const { name, pick, by } of story) {
        await steps[name]!(shop, pick, known[by]!)
        for (const [ref, query] of questions(shop)) {
          // In this order: were the clock to pass a moment in between, the later list would differ.
          const [one, two] = [await known[0]!.list(ref, query), await known[1]!.list(ref, query)]
          const anew = await forgetful.list(ref, query)
          expect([name, one.text, one.headers.etag]).toEqual([name, anew.text, anew.headers.etag])
          expect([name, two.text, two.headers.etag]).toEqual([name, anew.text, anew.headers.etag])
        }
      }
    }),
    { numRuns: 4, examples: [[everyStep]], endOnFailure: true },
  )
  expect(mended.mock.calls.length).toBeGreaterThan(20)
})
