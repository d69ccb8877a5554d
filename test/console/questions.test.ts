import { describe, expect, it } from 'vitest'
import { makePractice, makeProduct, makeTimeslot } from '../support/build.ts'
import { asConsumer, bookingOf, overApp, slotsOf } from '../support/consumer.ts'
import { bookAt } from '../support/moves.ts'
import { consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { language: 'en' })
const consumer = asConsumer(overApp(holdfast.app))
const path = `/providers/${practice.uuid}`

type Fields = Record<string, unknown>

const ask = async (key: string, type: string, fields: Fields = {}) =>
  (await consoleCall(holdfast.app, 'POST', `${path}/questions`, { key, type, label: { en: key }, ...fields }))
    .body

await ask('a', 'checkbox')
await ask('b', 'text', { required: true })
await ask('c', 'text', { showIf: { key: 'a', is: true }, required: true })
await ask('d', 'number', { audience: 'staff' })
const change = (fields: Fields) =>
  consoleCall(holdfast.app, 'PATCH', `/products/${practice.productUuid}`, fields)
await change({ questions: ['b', 'a', 'c', 'd'] })
await makeTimeslot(holdfast.crm, practice, { end: '2030-01-07T12:00' })

const slots = async () => slotsOf(await consumer.list(practice.resource))
const countEvents = async () => Number((await holdfast.query('select count(*) from event'))[0].count)

describe('the order of the questions', () => {
  const order = (keys: string[]) => consoleCall(holdfast.app, 'PUT', `${path}/question-order`, { keys })
  const product = async () =>
    (await consoleCall(holdfast.app, 'GET', `/products/${practice.productUuid}`)).body

  it('applies to the forms of all services, and changes nothing if sent again', async () => {
    const sorted = await order(['d', 'a', 'c', 'b'])
    expect(sorted.body.questions.map((one: Fields) => one.key)).toEqual(['d', 'a', 'c', 'b'])
    expect((await product()).questions).toEqual(['d', 'a', 'c', 'b'])
    const before = await countEvents()
    expect((await order(['d', 'a', 'c', 'b'])).status).toBe(200)
    expect(await countEvents()).toBe(before)
  })

  it('keeps a condition behind the question it depends on', async () => {
    expect((await order(['c', 'a'])).status).toBe(400)
    expect((await order(['a', 'a'])).status).toBe(400)
    expect((await order(['x'])).status).toBe(400)
  })
})

describe('answers of a participant', () => {
  const diary = async () =>
    (await consoleCall(holdfast.app, 'GET', `${path}/diary?from=2030-01-07`)).body.entries.flatMap(
      (entry: { people: Fields[] }) => entry.people,
    )

  it('are filled in by staff, who may leave everything open', async () => {
    const [slot] = await slots()
    await consumer.complete(practice.resource, bookingOf(slot!))
    const [person] = await diary()
    expect(person).toMatchObject({ answers: {}, answersMissing: true })
    const save = (answers: Fields) =>
      consoleCall(holdfast.app, 'PUT', `/participations/${person.uuid}/answers`, { answers })
    const partly = await save({ a: true, d: 5 })
    expect(partly.body).toMatchObject({ answers: { a: true, d: 5 }, answersMissing: true })
    const full = await save({ a: true, b: 'x', c: 'y', d: 5 })
    expect(full.body).toMatchObject({ answersMissing: false })
    const before = await countEvents()
    expect((await save({ a: true, b: 'x', c: 'y', d: 5 })).body).toEqual(full.body)
    expect(await countEvents()).toBe(before)
    const refused = await save({ d: 'much', nothing: 1 })
    expect(refused.body.errors.map((one: Fields) => one.field)).toEqual(['answers.nothing', 'answers.d'])
    expect((await diary())[0].answers).toEqual({ a: true, b: 'x', c: 'y', d: 5 })
  })

  it('are marked as missing where staff or the CRM book', async () => {
    const [slot] = await slots()
    const made = await consoleCall(holdfast.app, 'POST', `${path}/appointments?ignoreConflicts=true`, {
      resourceUuid: practice.resourceUuid,
      productUuid: practice.productUuid,
      start: slot!.start,
      end: slot!.end,
      customer: { name: 'Ann', email: 'staff-booked@example.org' },
    })
    expect(made.status).toBe(201)
    const people = (await diary()).filter((one: Fields) => one.name === 'Ann')
    expect(people).toMatchObject([{ answersMissing: true }])
  })

  it('move along, and more are asked where the new service requires more', async () => {
    await ask('e', 'text', { required: true })
    const other = await makeProduct(holdfast.crm, practice, { questions: ['b', 'e'] })
    const [_first, slot, target] = await slots()
    const booked = await bookAt(consumer, slot!, {
      ...bookingOf(slot!),
      answers: { b: 'kept' },
    } as never)
    const token = new URL((booked as unknown as { moveLink: string }).moveLink).pathname.split('/').at(-1)!
    const moved = await consumer.send(
      'POST',
      `/resources/${practice.resource}/move_appointment`,
      {
        timeslot_uuid: target!.timeslot_uuid,
        product_uuid: other.uuid,
        start: target!.start,
        end: target!.end,
      },
      { headers: { 'x-signed-app-customer': token } },
    )
    expect(moved.body.createdAppointment).toMatchObject({ answersMissing: true })
    const people = (await diary()).filter((one: { answers: Fields }) => one.answers.b === 'kept')
    expect(people).toMatchObject([{ answersMissing: true }])
  })
})
