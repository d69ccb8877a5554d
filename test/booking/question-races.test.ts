import { expect, it } from 'vitest'
import { makePractice, unique } from '../support/build.ts'
import { asConsumer, bookingOf, form, overApp, slotsOf } from '../support/consumer.ts'
import { roomsOf } from '../support/rooms.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { language: 'en' })
const consumer = asConsumer(overApp(holdfast.app))
const { roomWith, appointments } = roomsOf(() => ({ holdfast, practice, consumer }))
const questions = `${practice.path}/questions`

const ask = (key: string, fields: object = {}) =>
  holdfast.crm.post(questions, { key, type: 'text', label: { en: key }, ...fields })

it('no Product lists a question that is deleted at the same moment', async () => {
  for (let round = 0; round < 10; round++) {
    const key = `race${round}`
    await ask(key)
    const reference = unique('product')
    const listing = () =>
      holdfast.crm.post(`${practice.path}/products`, { reference, name: 'P', questions: [key] })
    const [removed, ...listed] = await Promise.all([
      holdfast.crm.delete(`${questions}/${key}`),
      listing(),
      listing(),
    ])
    expect(removed.status).toBe(204)
    for (const one of listed) expect([200, 201, 400]).toContain(one.status)
  }
  const rows = await holdfast.query(
    `select key from question join product on product.provider_id = question.provider_id
     where archived and key = any (question_keys)`,
  )
  expect(rows).toEqual([])
})

it('no condition refers to a question that is deleted at the same moment', async () => {
  for (let round = 0; round < 10; round++) {
    const [first, second] = [`base${round}`, `child${round}`]
    await ask(first, { type: 'checkbox' })
    const [removed, made] = await Promise.all([
      holdfast.crm.delete(`${questions}/${first}`),
      ask(second, { showIf: { key: first, is: true } }),
    ])
    // Whichever comes first refuses the other.
    expect([removed.status, made.status]).toSatisfy(
      ([one, other]: number[]) => (one === 204 && other === 400) || (one === 409 && other === 201),
    )
  }
})

it('answers of the consumer and of staff at the same moment do not mix', async () => {
  await ask('one', { required: true })
  await ask('two', { audience: 'staff' })
  await holdfast.crm.post(`${practice.path}/products`, {
    reference: practice.product,
    name: 'Talk',
    questions: ['one', 'two'],
  })
  const room = await roomWith()
  const [slot] = slotsOf(await consumer.list(room.resource))
  const { body } = await consumer.complete(room.resource, bookingOf(slot!))
  const { pathname } = new URL(body.createdAppointment.answersLink)
  const rows = await holdfast.query(`select uuid from participation where answers_missing`)
  await Promise.all([
    call(holdfast.app, 'POST', pathname, 'answers.one=consumer', { headers: form }),
    consoleCall(holdfast.app, 'PUT', `/participations/${rows[0].uuid}/answers`, {
      answers: { one: 'staff', two: 'staff' },
    }),
  ])
  const { answers } = (await appointments(room))[0]!.participations[0]
  // The consumer's form keeps what staff wrote; the staff's form replaces both.
  expect([
    { one: 'consumer', two: 'staff' },
    { one: 'staff', two: 'staff' },
  ]).toContainEqual(answers)
})

it('answers that are saved during a move stay', async () => {
  await ask('three', { required: true })
  await holdfast.crm.post(`${practice.path}/products`, {
    reference: practice.product,
    name: 'Talk',
    questions: ['one', 'three'],
  })
  for (let round = 0; round < 4; round++) {
    const room = await roomWith()
    const [slot, other] = slotsOf(await consumer.list(room.resource))
    const { body } = await consumer.complete(room.resource, bookingOf(slot!))
    const { moveLink, answersLink } = body.createdAppointment
    const { timeslot_uuid, start, end } = other!
    const headers = { 'x-signed-app-customer': new URL(moveLink).pathname.split('/').at(-1)! }
    const move = { timeslot_uuid, start, end, answers: { one: 'moved', three: 'moved' } }
    const [moved] = await Promise.all([
      consumer.send('POST', `/resources/${room.resource}/move_appointment`, move, { headers }),
      call(holdfast.app, 'POST', new URL(answersLink).pathname, 'answers.one=later&answers.three=later', {
        headers: form,
      }),
    ])
    expect(moved.status).toBe(200)
    const people = (await appointments(room)).flatMap(one => one.participations)
    const mine = people.find(one => one.state === 'BOOKED')!
    expect(mine.answersMissing).toBe(false)
    expect([
      { one: 'moved', three: 'moved' },
      { one: 'later', three: 'later' },
    ]).toContainEqual(mine.answers)
  }
})
