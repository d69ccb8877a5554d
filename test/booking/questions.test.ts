import { describe, expect, it } from 'vitest'
import { purgeAnswers } from '../../src/actions/scheduling/purge-answers.ts'
import { makePractice, makeProduct, setChannel, unique } from '../support/build.ts'
import { asConsumer, bookingOf, form, overApp, type Slot } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Room, roomsOf } from '../support/rooms.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { email: 'desk@example.org', language: 'en' })
const consumer = asConsumer(overApp(holdfast.app))
const { roomWith, first, slots, complete, hold, completeHold, book, appointments } = roomsOf(() => ({
  holdfast,
  practice,
  consumer,
}))

type Fields = Record<string, unknown>

const questionsPath = `${practice.path}/questions`

async function ask(key: string, type: string, fields: Fields = {}) {
  const { status, body } = await holdfast.crm.post(questionsPath, {
    key,
    type,
    label: { en: key },
    ...fields,
  })
  if (status > 201) throw new Error(JSON.stringify(body))
  return body.question
}

const options = (...keys: string[]) => keys.map(key => ({ key, label: { en: key.toUpperCase(), de: key } }))

await ask('reason', 'text', { required: true, label: { en: 'Reason', de: 'Grund' }, inEmails: true })
await ask('story', 'textarea', { maxLength: 100 })
await ask('weight', 'number', { min: 1, max: 300 })
await ask('born', 'date', { max: '2029-12-31' })
await ask('phone2', 'phone')
await ask('insurer', 'choice', { options: options('aok', 'tk', 'private') })
await ask('policy', 'text', { required: true, showIf: { key: 'insurer', is: 'private' } })
await ask('pains', 'choices', { options: options('back', 'knee', 'neck') })
await ask('first', 'checkbox')
await ask('terms', 'consent', { required: true, label: { en: 'I agree.', de: 'Ich stimme zu.' } })
await ask('internal', 'text', { audience: 'staff' })
const keys = [
  'reason',
  'story',
  'weight',
  'born',
  'phone2',
  'insurer',
  'policy',
  'pains',
  'first',
  'terms',
  'internal',
]
await holdfast.crm.post(`${practice.path}/products`, {
  reference: practice.product,
  name: 'Talk',
  questions: keys,
})

const good = {
  reason: 'Knee <b>& back</b> 🦵 ‮abc',
  weight: 72.5,
  born: '1980-02-03',
  phone2: '+49 40 123456',
  insurer: 'private',
  policy: 'P-1',
  pains: ['neck', 'back'],
  first: true,
  terms: true,
}

const participationOf = async (room: Parameters<typeof appointments>[0]) =>
  (await appointments(room)).at(-1)!.participations[0]

describe('questions', () => {
  it('are created, listed, changed and deleted by the CRM', async () => {
    const created = await holdfast.crm.post(questionsPath, {
      key: 'extra',
      type: 'choice',
      label: { en: 'Extra' },
      options: options('a', 'b'),
    })
    expect(created.status).toBe(201)
    expect(created.body.question).toMatchObject({ key: 'extra', required: false, audience: 'consumer' })
    const changed = await holdfast.crm.put(`${questionsPath}/extra`, {
      required: true,
      options: options('b'),
    })
    expect(changed.status).toBe(200)
    expect(changed.body.question).toMatchObject({ required: true, options: [{ key: 'b' }] })
    expect(
      (await holdfast.crm.post(questionsPath, { key: 'extra', type: 'choice', label: { en: 'X' } })).status,
    ).toBe(200)
    expect((await holdfast.crm.delete(`${questionsPath}/extra`)).status).toBe(204)
    expect((await holdfast.crm.get(questionsPath)).body.map((one: Fields) => one.key)).not.toContain('extra')
    expectRefusal(
      await holdfast.crm.post(questionsPath, { key: 'extra', type: 'text', label: { en: 'X' } }),
      409,
      'reference-exists',
      'key',
    )
  })

  it.each([
    [{ key: 'email' }, 'key'],
    [{ key: 'Upper' }, 'key'],
    [{ key: 'constructor' }, 'key'],
    [{ label: {} }, 'label'],
    [{ label: { xx: 'a' } }, 'label.xx'],
    [{ type: 'choice' }, 'options'],
    [{ options: options('a') }, 'options'],
    [{ type: 'choice', options: [...options('a'), ...options('a')] }, 'options'],
    [{ type: 'number', min: 'x' }, 'min'],
    [{ type: 'number', min: 5, max: 1 }, 'min'],
    [{ maxLength: 2000 }, 'maxLength'],
    [{ showIf: { key: 'nothing', is: true } }, 'showIf'],
    [{ showIf: { key: 'insurer', is: 'nothing' } }, 'showIf'],
    [{ showIf: { key: 'internal', is: 'x' } }, 'showIf'],
    [{ type: 'nothing' }, 'type'],
  ])('refuse %j', async (fields, field) => {
    const body = { key: 'wrong', type: 'text', label: { en: 'Wrong' }, ...fields }
    const answer = await holdfast.crm.post(questionsPath, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toBe(field)
  })

  it('do not depend on what only staff are asked', async () => {
    await ask('shared', 'checkbox')
    await ask('depending', 'text', { showIf: { key: 'shared', is: true } })
    await ask('for-staff', 'text', { audience: 'staff', showIf: { key: 'internal', is: 'x' } })
    const change = (key: string, audience: string) =>
      holdfast.crm.put(`${questionsPath}/${key}`, { audience })
    expectRefusal(await change('shared', 'staff'), 400, 'invalid-field', 'audience')
    expectRefusal(await change('for-staff', 'consumer'), 400, 'invalid-field', 'showIf')
    expect((await change('depending', 'staff')).status).toBe(200)
    expect((await change('shared', 'staff')).status).toBe(200)
  })

  it('stay in an order in which conditions work', async () => {
    const save = (questions: string[]) =>
      holdfast.crm.post(`${practice.path}/products`, { reference: unique('product'), name: 'P', questions })
    expectRefusal(await save(['policy', 'insurer']), 400, 'invalid-field', 'questions')
    expectRefusal(await save(['nothing']), 400, 'invalid-field', 'questions')
    expectRefusal(await save(['reason', 'reason']), 400, 'invalid-field', 'questions')
    expect((await save(['insurer', 'policy'])).status).toBe(201)
    expectRefusal(await holdfast.crm.delete(`${questionsPath}/insurer`), 409, 'question-in-use')
  })
})

describe('a booking', () => {
  it('stores the answers, which records, events and emails show', async () => {
    const room = await roomWith()
    const held = await hold(room, await first(room))
    const person = { email: 'answers@example.org', locale: 'de' }
    const { status, body } = await completeHold(held, { ...person, answers: good })
    expect(status).toBe(201)
    expect(body.createdAppointment).toMatchObject({ answersMissing: false, answersLink: null })
    const { answers } = await participationOf(room)
    expect(answers).toEqual({
      ...good,
      pains: ['back', 'neck'],
      terms: { given: true, text: 'Ich stimme zu.', at: expect.stringMatching(/^20.*Z$/) },
    })
    const { body: log } = await holdfast.crm.get('/events?kinds=participation.booked&limit=500')
    expect(log.events.at(-1).data.participation.answers).toEqual(answers)
    const [toConsumer] = await mailsTo(holdfast, 'answers@example.org')
    expect(toConsumer!.text).toContain('Grund')
    expect(toConsumer!.text).not.toContain('P-1')
    expect(toConsumer!.html).toContain('Knee &lt;b&gt;')
    const notices = await mailsTo(holdfast, 'desk@example.org')
    expect(notices.at(-1)!.text).toContain('P-1')
  })

  it('reports everything wrong at once and loses nothing', async () => {
    const room = await roomWith()
    const held = await hold(room, await first(room))
    const answers = {
      story: 'x'.repeat(10_000),
      weight: 0,
      born: '2030-02-31',
      phone2: 'call me',
      insurer: 'unknown',
      pains: ['back', 'toe'],
      first: 'maybe',
      internal: 'secret',
      nothing: 1,
    }
    const refused = await completeHold(held, { answers })
    expect(refused.status).toBe(400)
    const errors: { field: string; errorCode: string }[] = refused.body.errors
    expect(Object.fromEntries(errors.map(one => [one.field, one.errorCode]))).toEqual({
      'answers.internal': 'invalid-field',
      'answers.nothing': 'invalid-field',
      'answers.reason': 'missing-answer',
      'answers.story': 'invalid-field',
      'answers.weight': 'invalid-field',
      'answers.born': 'invalid-field',
      'answers.phone2': 'invalid-field',
      'answers.insurer': 'invalid-field',
      'answers.pains': 'invalid-field',
      'answers.first': 'invalid-field',
      'answers.terms': 'missing-answer',
    })
    expect((await completeHold(held, { answers: good })).status).toBe(201)
  })

  it.each([[[]], ['text'], [5], [true]])('refuses answers that are %j', async answers => {
    const room = await roomWith()
    const refused = await complete(room, bookingOf(await first(room), { answers }))
    expect(refused.status).toBe(400)
    expect(refused.body.errors[0].field).toBe('answers')
  })

  it('refuses __proto__ and ignores what every object inherits', async () => {
    const room = await roomWith()
    const slot = await first(room)
    const raw = JSON.stringify(bookingOf(slot, { answers: good })).replace('"reason"', '"__proto__"')
    const url = `/resources/${room.resource}/create_appointment_with_consumer`
    const headers = { 'content-type': 'application/json' }
    expect((await call(holdfast.app, 'POST', url, raw, { headers })).status).toBe(400)
    const odd = await complete(
      room,
      bookingOf(slot, { answers: { ...good, toString: 'x', constructor: 'y' } }),
    )
    expect(odd.status).toBe(400)
    expect(odd.body.errors.map((one: Fields) => one.field)).toEqual([
      'answers.toString',
      'answers.constructor',
    ])
  })

  it('ignores answers to hidden questions', async () => {
    const room = await roomWith()
    await book(room, await first(room), { answers: { ...good, insurer: 'tk', policy: 'P-2' } })
    const { answers } = await participationOf(room)
    expect(answers).not.toHaveProperty('policy')
  })

  it('reads answers beside the other fields, as widgets in the field send them', async () => {
    const room = await roomWith()
    await book(room, await first(room), {
      reason: 'Knee',
      born: '1980-02-03',
      insurer: 'aok',
      weight: '72',
      story: '',
      first: true,
      terms: true,
      'pains.knee': true,
      'pains.neck': false,
    })
    const participation = await participationOf(room)
    expect(participation.answersMissing).toBe(false)
    expect(participation.answers).toMatchObject({
      reason: 'Knee',
      born: '1980-02-03',
      insurer: 'aok',
      weight: 72,
      pains: ['knee'],
      first: true,
    })
    const incomplete = await complete(
      room,
      bookingOf((await slots(room))[0]!, { reason: '', terms: true, locale: 'de' }),
    )
    expect(incomplete.body.errors).toEqual([
      { errorCode: 'missing-answer', field: 'reason', message: 'Grund: Bitte beantworten Sie diese Frage.' },
    ])
  })

  it('is marked if the client knows nothing of questions, and can be completed later', async () => {
    const room = await roomWith()
    const person = { email: 'later@example.org' }
    const created = await book(room, await first(room), person)
    expect(created).toMatchObject({ answersMissing: true, answersLink: expect.stringContaining('/answers/') })
    expect(await participationOf(room)).toMatchObject({ answers: {}, answersMissing: true })
    const [mail] = await mailsTo(holdfast, person.email)
    expect(mail!.text).toContain('/answers/')

    const path = new URL(created.answersLink).pathname
    const page = await call(holdfast.app, 'GET', path)
    expect(page.text).toContain('name="answers.reason"')
    expect(page.text).toContain('Only if “insurer” is “PRIVATE”')
    expect(page.text).not.toContain('answers.internal')
    const post = (fields: Record<string, string>) =>
      call(holdfast.app, 'POST', path, new URLSearchParams(fields).toString(), { headers: form })
    const wrong = await post({ 'answers.reason': 'Knee', 'answers.weight': 'heavy' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('value="Knee"')
    expect(wrong.text).toContain('Enter a number.')
    expect(await participationOf(room)).toMatchObject({ answersMissing: true })
    const saved = await post({ 'answers.reason': 'Knee', 'answers.terms': 'on', 'answers.pains': 'knee' })
    expect(saved.status).toBe(303)
    expect(await participationOf(room)).toMatchObject({
      answers: { reason: 'Knee', pains: ['knee'], first: false, terms: { text: 'I agree.' } },
      answersMissing: false,
    })
    const { body: log } = await holdfast.crm.get('/events?kinds=participation.changed&limit=500')
    expect(log.events).toHaveLength(1)
    holdfast.clock.shiftMs = Date.parse('2030-01-08') - Date.now()
    expect((await call(holdfast.app, 'GET', path)).status).toBe(410)
    expect((await post({})).status).toBe(410)
    holdfast.clock.shiftMs = 0
  })

  it('is refused without answers where the Product requires them', async () => {
    const product = await makeProduct(holdfast.crm, practice, {
      questions: ['reason', 'terms'],
      answersRequired: true,
    })
    const room = await roomWith()
    const slot = await first(room)
    const refused = await complete(room, bookingOf(slot, { product_uuid: product.uuid }))
    expect(refused.body.errors.map((one: Fields) => one.errorCode)).toEqual([
      'missing-answer',
      'missing-answer',
    ])
  })

  it('accepts what fits the questions as they were when the slot was held', async () => {
    await ask('changing', 'choice', { options: options('old', 'kept'), required: true })
    const product = await makeProduct(holdfast.crm, practice, { questions: ['changing'] })
    const room = await roomWith()
    const [one, two, three] = await slots(room)
    const holdIt = (slot: typeof one) => hold(room, { ...slot!, product_uuid: product.uuid })
    const held = [await holdIt(one), await holdIt(two), await holdIt(three)]
    await ask('added', 'text', { required: true })
    await holdfast.crm.put(`${questionsPath}/changing`, { options: options('kept', 'new') })
    await holdfast.crm.post(`${practice.path}/products`, {
      reference: product.reference,
      name: 'Talk',
      questions: ['changing', 'added'],
    })
    const finish = (index: number, answers: Fields) =>
      completeHold(held[index]!, { product_uuid: product.uuid, answers })
    expect((await finish(0, { changing: 'old' })).status).toBe(201)
    expect((await finish(1, { changing: 'new', added: 'x' })).status).toBe(201)
    const refused = await finish(2, { changing: 'nothing' })
    expect(refused.body.errors.map((error: Fields) => error.field)).toEqual(['answers.changing'])
  })

  it('keeps answers to questions that were added after the slot was held', async () => {
    await ask('later', 'number')
    const product = await makeProduct(holdfast.crm, practice)
    const room = await roomWith()
    const held = await hold(room, { ...(await first(room)), product_uuid: product.uuid })
    await holdfast.crm.post(`${practice.path}/products`, {
      reference: product.reference,
      name: 'Talk',
      questions: ['later'],
    })
    const finish = (later: unknown) => completeHold(held, { product_uuid: product.uuid, answers: { later } })
    expectRefusal(await finish('many'), 400, 'invalid-field', 'answers.later')
    expect((await finish(3)).status).toBe(201)
    expect((await participationOf(room)).answers).toEqual({ later: 3 })
  })

  it('needs no answers to what was first asked after the slot was held', async () => {
    await ask('strict', 'text', { required: true })
    const product = await makeProduct(holdfast.crm, practice, { answersRequired: true })
    const room = await roomWith()
    const [one, two] = await slots(room)
    const held = await hold(room, { ...one!, product_uuid: product.uuid })
    const fields = { reference: product.reference, name: 'Talk', questions: ['strict'] }
    await holdfast.crm.post(`${practice.path}/products`, fields)
    // A second change does not replace what the visitor has seen.
    await holdfast.crm.put(`${questionsPath}/strict`, { help: { en: 'Now with help' } })
    const later = await hold(room, { ...two!, product_uuid: product.uuid })
    expectRefusal(
      await completeHold(later, { product_uuid: product.uuid }),
      400,
      'missing-answer',
      'answers.strict',
    )
    expect((await completeHold(held, { product_uuid: product.uuid })).status).toBe(201)
    const rows = await holdfast.query('select form from product where uuid = $1', [product.uuid])
    expect(rows[0].form).toMatchObject([{ key: 'strict', help: { en: 'Now with help' }, position: 1 }])
  })
})

describe('a move', () => {
  const signed = ({ moveLink }: Fields) => ({
    headers: { 'x-signed-app-customer': new URL(String(moveLink)).pathname.split('/').at(-1)! },
  })
  const move = (booked: Fields, { resource_uuid, timeslot_uuid, start, end }: Slot, fields: Fields = {}) =>
    consumer.send(
      'POST',
      `/resources/${resource_uuid}/move_appointment`,
      { timeslot_uuid, start, end, ...fields },
      signed(booked),
    )
  const askedFor = async (booked: Fields, query = '') => {
    const path = `/bookables/cancelable_bookable?languageTag=de${query}`
    const { body } = await consumer.send('GET', path, undefined, signed(booked))
    return (Object.values(body) as Fields[][])[0]![0]!.questions as Fields[]
  }

  it('keeps the answers and asks what the new Product asks in addition', async () => {
    const product = await makeProduct(holdfast.crm, practice, {
      questions: ['reason', 'insurer', 'policy', 'weight', 'terms'],
      answersRequired: true,
    })
    const other = await makeProduct(holdfast.crm, practice, { questions: ['reason', 'terms'] })
    const room = await roomWith()
    const [here, there] = await slots(room)
    const kept = { reason: 'Knee', terms: true }
    const booked = await book(room, here!, { product_uuid: other.uuid, answers: kept, locale: 'de' })
    const { answers: before } = await participationOf(room)
    expect(await askedFor(booked)).toEqual([])
    const asked = await askedFor(booked, `&prdRef=${product.uuid}`)
    expect(asked.map(one => one.key)).toEqual(['insurer', 'policy', 'weight'])
    expect(asked[1]).toMatchObject({ showIf: { key: 'insurer', is: 'private' } })

    const to = (answers?: Fields) =>
      move(booked, there!, { product_uuid: product.uuid, answers, locale: 'de' })
    const fieldsOf = ({ body }: { body: Fields }) => (body.errors as Fields[]).map(one => one.field)
    const wrong = await to({ insurer: 'private', weight: 'x', nothing: 1 })
    expect(fieldsOf(wrong)).toEqual(['answers.nothing', 'answers.policy', 'answers.weight'])
    const { status, body } = await to({ insurer: 'private', policy: 'P-9', terms: true })
    expect([status, body.createdAppointment.answersMissing]).toEqual([200, false])
    // The consent keeps its time.
    const after = { ...(before as Fields), insurer: 'private', policy: 'P-9' }
    expect(await participationOf(room)).toMatchObject({ answers: after, answersMissing: false })
  })

  it('is refused without answers that the new Product requires, and else marked', async () => {
    const [strict, loose] = [
      await makeProduct(holdfast.crm, practice, { questions: ['reason'], answersRequired: true }),
      await makeProduct(holdfast.crm, practice, { questions: ['reason'] }),
    ]
    const plain = await makeProduct(holdfast.crm, practice)
    const room = await roomWith()
    const [here, there] = await slots(room)
    const booked = await book(room, here!, { product_uuid: plain.uuid })
    expectRefusal(
      await move(booked, there!, { product_uuid: strict.uuid }),
      400,
      'missing-answer',
      'answers.reason',
    )
    const moved = await move(booked, there!, { product_uuid: loose.uuid })
    expect(moved.body.createdAppointment).toMatchObject({ answersMissing: true })
    expect((await askedFor(booked)).map(one => one.label)).toEqual(['Grund'])
    const back = await move(booked, here!, { answers: { reason: 'Knee' } })
    expect(back.body.createdAppointment).toMatchObject({ answersMissing: false, answersLink: null })
    expect((await participationOf(room)).answers).toEqual({ reason: 'Knee' })
  })

  it('asks on the page without JavaScript, and a lost time loses no answer', async () => {
    const product = await makeProduct(holdfast.crm, practice, {
      questions: ['reason', 'pains', 'insurer', 'policy'],
    })
    const room = await roomWith()
    const [here, there, third] = await slots(room)
    const booked = await book(room, here!, { product_uuid: product.uuid })
    const path = new URL(String(booked.moveLink)).pathname
    const post = (fields: string[][]) =>
      call(holdfast.app, 'POST', path, new URLSearchParams(fields).toString(), { headers: form })
    const slotValue = (one: Slot) =>
      [Date.parse(one.start), Date.parse(one.end), one.timeslot_uuid, '', '', one.resource_uuid].join(' ')
    const asking = await post([['slot', slotValue(there!)]])
    expect(asking.text).toContain('name="answers.reason"')
    const heldIn = (text: string) => /name="held" value="([^"]+)"/.exec(text)![1]!
    const [slot, placeholder] = [slotValue(there!), heldIn(asking.text)]
    const typed = [
      ['answers.pains', 'knee'],
      ['answers.pains', 'neck'],
      ['answers.policy', 'P "1" <b>'],
    ]
    const wrong = await post([['slot', slot], ['held', placeholder], ...typed])
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('Please answer this question.')
    expect(wrong.text).toMatch(/value="neck" checked/)
    // Another customer gets the time meanwhile.
    await consumer.send('POST', `/resources/${room.resource}/revoke_reservation`, {
      placeholder_id: placeholder,
    })
    await book(room, there!, { product_uuid: product.uuid })
    const answered = [['answers.reason', 'Knee'], ...typed]
    const lost = await post([['slot', slot], ['held', placeholder], ...answered])
    expect([lost.status, lost.text]).toEqual([412, expect.stringContaining('Your details are safe.')])
    expect(lost.text).toContain('name="answers.policy" value="P &quot;1&quot; &lt;b&gt;"')
    const again = await post([['slot', slotValue(third!)], ...answered])
    expect(again.text).toMatch(/value="Knee"/)
    expect(again.text).toMatch(/value="knee" checked/)
    const done = await post([['slot', slotValue(third!)], ['held', heldIn(again.text)], ...answered])
    expect(done.text).toContain('Appointment rescheduled')
    const people = (await appointments(room)).flatMap(one => one.participations) as Fields[]
    expect(people.map(one => one.answers)).toContainEqual({ reason: 'Knee', pains: ['knee', 'neck'] })
  })
})

describe('the form without JavaScript', () => {
  const path = (room: Room, step: string, lang = 'en') =>
    `/book/${room.resourceUuid}${step}?lang=${lang}&product=${room.productUuid}`
  const post = (url: string, fields: string[][], cookie = '') =>
    call(holdfast.app, 'POST', url, new URLSearchParams(fields).toString(), { headers: { ...form, cookie } })
  const typed = [
    ['firstname', 'Ann "A"'],
    ['lastname', 'Lee'],
    ['email', 'typed@example.org'],
    ['message', 'one\r\ntwo'],
    ['answers.reason', 'Knee <b>'],
    ['answers.insurer', 'tk'],
    ['answers.pains', 'back'],
    ['answers.pains', 'neck'],
    ['answers.terms', 'on'],
  ]
  const expectTyped = (text: string) => {
    expect(text).toContain('value="Ann &quot;A&quot;"')
    expect(text).toContain('>one\ntwo</textarea>')
    expect(text).toContain('value="Knee &lt;b&gt;"')
    expect(text).toContain('<option value="tk" selected>')
    expect(text).toMatch(/value="neck" checked/)
    expect(text).toMatch(/name="answers.terms" checked/)
  }

  /** Opens the form for the time that starts so. */
  async function open(room: Room, start: string) {
    const { text } = await call(holdfast.app, 'GET', path(room, ''))
    const at = Date.parse(`2030-01-07T${start}:00+01:00`)
    const [_match, slot] = new RegExp(`name="slot" value="(${at} [^"]+)"`).exec(text)!
    const shown = await post(path(room, '/reserve'), [['slot', slot!]])
    // The browser keeps it with what is typed.
    expect(shown.headers['cache-control']).toBe('private, no-cache')
    const hidden = [...shown.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
    return { slot: slot!, hidden: hidden.map(([_key, name, value]) => [name!, value!]) }
  }

  const releaseHold = (room: Room, hidden: string[][]) =>
    consumer.send('POST', `/resources/${room.resource}/revoke_reservation`, {
      placeholder_id: Object.fromEntries(hidden).placeholder,
    })

  it('keeps what was typed when the time is lost', async () => {
    const room = await roomWith()
    const { hidden } = await open(room, '08:00')
    await releaseHold(room, hidden)
    await book(room, await first(room))
    const lost = await post(path(room, '/complete'), [...hidden, ...typed])
    expect(lost.status).toBe(412)
    expect(lost.text).toContain('Sorry, this time has just been taken.</strong> Your details are safe.')
    const [_match, slot] = /form="typed" name="slot" value="([^"]+)"/.exec(lost.text)!
    const again = await post(path(room, '/reserve'), [['slot', slot!], ...typed])
    expect(again.status).toBe(200)
    expectTyped(again.text)
    // A reload posts the same again, and finds the same hold.
    const cookie = String(again.headers['set-cookie']).split(';')[0]!
    expectTyped((await post(path(room, '/reserve'), [['slot', slot!], ...typed], cookie)).text)
  })

  it('keeps it when the hold has expired: it books, if the time is still available', async () => {
    const room = await roomWith()
    const [one, two] = [await open(room, '08:00'), await open(room, '08:30')]
    await holdfast.query(`update participation set expires_at = now() - interval '1 minute'
      where state = 'RESERVED' and appointment_id in (select id from appointment
        where resource_id = (select id from resource where uuid = '${room.resourceUuid}'))`)
    const done = await post(path(room, '/complete'), [...one.hidden, ...typed])
    expect(done.text).toContain('You’re booked')
    expect((await participationOf(room)).answers).toMatchObject({
      reason: 'Knee <b>',
      pains: ['back', 'neck'],
    })
    await book(room, (await slots(room))[0]!)
    const lost = await post(path(room, '/complete'), [...two.hidden, ...typed])
    expect(lost.status).toBe(412)
    expect(lost.text).toContain('name="answers.reason" value="Knee &lt;b&gt;"')
  })

  it('keeps it on the way back, which releases the time, and while choosing another', async () => {
    const room = await roomWith()
    const { slot, hidden } = await open(room, '08:00')
    const back = await post(path(room, '/times'), [...hidden, ...typed])
    expect(back.status).toBe(200)
    expect(back.text).toContain(`name="slot" value="${slot}"`)
    expect(back.text).toContain('name="answers.pains" value="neck"')
    expect(back.text).not.toContain('role="alert"')
    // On to another language: still there.
    const french = await post(path(room, '/times', 'fr'), typed)
    expect(french.text).toContain('name="message" value="one')
    expectTyped((await post(path(room, '/reserve'), [['slot', slot], ...typed])).text)
  })

  it('keeps it when something is wrong, with everything in the summary', async () => {
    const room = await roomWith()
    const { hidden } = await open(room, '08:00')
    const wrong = await post(path(room, '/complete'), [
      ...hidden,
      ...typed.filter(([name]) => name !== 'email'),
      ['answers.weight', 'heavy'],
    ])
    expect(wrong.status).toBe(400)
    expectTyped(wrong.text)
    expect(wrong.text).toContain('href="#email"')
    expect(wrong.text).toContain('href="#answer-weight"')
  })
})

describe('public data', () => {
  it('shows the questions in the visitor’s language', async () => {
    const path = `/products/specific_products?prdRefs=${practice.productUuid}`
    const { body } = await consumer.send('POST', `${path}&languageTag=de-AT`)
    const shown = body[0].questions as Fields[]
    expect(shown.map(one => one.key)).toEqual(keys.filter(key => key !== 'internal'))
    expect(shown[0]).toMatchObject({ label: 'Grund', required: true })
    expect(shown[5]).toMatchObject({ options: [{ key: 'aok', label: 'aok' }, {}, {}] })
    await ask('order', 'text', { label: { it: 'Ordine', de: 'Folge' } })
    const ordered = await makeProduct(holdfast.crm, practice, { questions: ['order'] })
    const odd = await consumer.send(
      'POST',
      `/products/specific_products?prdRefs=${ordered.uuid}&languageTag=fr`,
    )
    expect(odd.body[0].questions[0].label).toBe('Ordine')
    const english = await consumer.send('POST', `${path}&languageTag=fr`)
    expect(english.body[0].questions[0].label).toBe('Reason')
  })

  it('gives other widgets the form in their own shape', async () => {
    const headers = { 'accept-language': 'de' }
    const path = (ref: string) => `/rest/1/products/${ref}/bookingConfig?X-DISABLE-COOKIES=true`
    const { status, body } = await call(holdfast.app, 'GET', path(practice.productUuid), undefined, {
      headers,
    })
    expect(status).toBe(200)
    const { fields } = body
    expect(fields.reason).toMatchObject({ title: 'Grund *', type: 'text' })
    expect(fields.born).toMatchObject({ type: 'text', format: 'date' })
    expect(fields.story).toMatchObject({ type: 'textarea', limit: 100 })
    expect(fields.insurer.options[0]).toEqual({ title: 'aok', key: 'aok' })
    expect(fields['pains.knee']).toMatchObject({ type: 'checkbox' })
    expect(fields.terms.type).toBe('checkbox')
    const indexes = Object.values(fields).map(one => (one as { index: number }).index)
    expect(Math.min(...indexes)).toBeGreaterThan(4)
    expect(Math.max(...indexes)).toBeLessThan(5)
    expect((await call(holdfast.app, 'GET', path(practice.product))).status).toBe(200)
    const plain = await makeProduct(holdfast.crm, practice)
    expect((await call(holdfast.app, 'GET', path(plain.uuid))).status).toBe(404)
    const about = await consumer.send('POST', `/resources/public_data?ref=${practice.resourceUuid}`)
    expect(about.body.provider.areCustomFieldsAllowed).toBe(true)
  })
})

describe('answers', () => {
  const everywhere = async (word: string) => {
    const rows = await holdfast.query(
      `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    const found: string[] = []
    for (const { relname } of rows) {
      const { rowCount } = await holdfast.service.db.pool.query(
        `select from "${relname}" as one where one::text like $1 limit 1`,
        [`%${word}%`],
      )
      if (rowCount) found.push(relname)
    }
    return found
  }

  it('are all in the Customer’s export, and disappear with the Customer', async () => {
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'REQUESTED' })
    const room = await roomWith({}, practice)
    const [one, two, three] = await slots(room)
    const person = { email: 'everything@example.org' }
    // From a widget of ours, from another one, by the link, by staff, and with a request to move.
    await book(room, one!, { ...person, answers: { ...good, reason: 'Unmistakable 1' } })
    const { answersLink } = await book(room, two!, person)
    const booked = await book(room, three!, { ...person, reason: 'Unmistakable 3', terms: true })
    const answer = 'answers.reason=Unmistakable+2&answers.terms=on'
    await call(holdfast.app, 'POST', new URL(answersLink).pathname, answer, { headers: form })
    const people = (await appointments(room)).flatMap(entry => entry.participations)
    const { customerReference } = people[0]
    const staff = { ...good, internal: 'Unmistakable 4' }
    const found = await holdfast.query('select uuid from participation where reference = $1', [
      people[0].reference,
    ])
    const changed = await consoleCall(holdfast.app, 'PUT', `/participations/${found[0].uuid}/answers`, {
      answers: staff,
    })
    expect(changed.status).toBe(200)
    await holdfast.crm.put(`${practice.path}/participations/${people[2].reference}`, { state: 'BOOKED' })
    const [free] = await slots(room)
    const { timeslot_uuid, start, end } = free!
    const headers = { 'x-signed-app-customer': new URL(booked.moveLink).pathname.split('/').at(-1)! }
    const moved = await consumer.send(
      'POST',
      `/resources/${room.resource}/move_appointment`,
      { timeslot_uuid, start, end },
      { headers },
    )
    expect(moved.status).toBe(200)

    const rows = await holdfast.query('select uuid from customer where reference = $1', [customerReference])
    const { body } = await consoleCall(holdfast.app, 'GET', `/customers/${rows[0].uuid}?history=all`)
    const exported = JSON.stringify(body)
    const stored = await holdfast.service.db.pool.query(
      `select answers from participation where answers::text like '%Unmistakable%'`,
    )
    expect(body.history.map((line: Fields) => line.answers)).toEqual(
      expect.arrayContaining(stored.rows.map(row => row.answers)),
    )
    for (const number of [2, 3, 4]) expect(exported).toContain(`Unmistakable ${number}`)
    expect(await everywhere('Unmistakable')).toEqual(expect.arrayContaining(['participation', 'mail']))
    expect(
      (
        await holdfast.crm.delete(
          `${practice.path}/customers/${customerReference}?ignoreFutureAppointments=true`,
        )
      ).status,
    ).toBe(204)
    expect(await everywhere('Unmistakable')).toEqual([])
    await setChannel(holdfast, practice.resourceUuid, { bookingProcess: 'IMMEDIATE' })
  })

  it('are removed some days after the Appointment', async () => {
    await ask('secret', 'text', { keepDays: 10 })
    const product = await makeProduct(holdfast.crm, practice, { questions: ['secret', 'weight'] })
    const room = await roomWith()
    await book(room, await first(room), {
      product_uuid: product.uuid,
      answers: { secret: 'Shortlived', weight: 3 },
    })
    expect(await purgeAnswers(holdfast.service, { dryRun: false })).toBe(0)
    holdfast.clock.shiftMs = Date.parse('2030-01-18T12:00Z') - Date.now()
    expect(await purgeAnswers(holdfast.service, { dryRun: true })).toBe(1)
    expect(await purgeAnswers(holdfast.service, { dryRun: false })).toBe(1)
    holdfast.clock.shiftMs = 0
    expect((await participationOf(room)).answers).toEqual({ weight: 3 })
    expect(await everywhere('Shortlived')).toEqual([])
  })

  it('stay readable after the question was deleted', async () => {
    await ask('gone', 'text')
    const product = await makeProduct(holdfast.crm, practice, { questions: ['gone'] })
    const room = await roomWith()
    await book(room, await first(room), { product_uuid: product.uuid, answers: { gone: 'Here' } })
    await holdfast.crm.delete(`${questionsPath}/gone`)
    expect((await participationOf(room)).answers).toEqual({ gone: 'Here' })
    const { body } = await holdfast.crm.get(`${practice.path}/products`)
    expect(body.find((one: Fields) => one.uuid === product.uuid).questions).toEqual([])
  })
})
