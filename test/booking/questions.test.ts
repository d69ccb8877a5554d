import { describe, expect, it } from 'vitest'
import { purgeAnswers } from '../../src/actions/scheduling/purge-answers.ts'
import { makePractice, makeProduct, unique } from '../support/build.ts'
import { asConsumer, bookingOf, form, overApp } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { roomsOf } from '../support/rooms.ts'
import { call, useService } from '../support/service.ts'

const test = await useService()
const practice = await makePractice(test.crm, { email: 'desk@example.org', language: 'en' })
const consumer = asConsumer(overApp(test.app))
const { roomWith, first, slots, complete, hold, completeHold, book, appointments } = roomsOf(() => ({
  test,
  practice,
  consumer,
}))

type Fields = Record<string, unknown>

const questionsPath = `${practice.path}/questions`

async function ask(key: string, type: string, fields: Fields = {}) {
  const { status, body } = await test.crm.post(questionsPath, { key, type, label: { en: key }, ...fields })
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
await test.crm.post(`${practice.path}/products`, {
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
    const created = await test.crm.post(questionsPath, {
      key: 'extra',
      type: 'choice',
      label: { en: 'Extra' },
      options: options('a', 'b'),
    })
    expect(created.status).toBe(201)
    expect(created.body.question).toMatchObject({ key: 'extra', required: false, audience: 'consumer' })
    const changed = await test.crm.put(`${questionsPath}/extra`, { required: true, options: options('b') })
    expect(changed.status).toBe(200)
    expect(changed.body.question).toMatchObject({ required: true, options: [{ key: 'b' }] })
    expect(
      (await test.crm.post(questionsPath, { key: 'extra', type: 'choice', label: { en: 'X' } })).status,
    ).toBe(200)
    expect((await test.crm.delete(`${questionsPath}/extra`)).status).toBe(204)
    expect((await test.crm.get(questionsPath)).body.map((one: Fields) => one.key)).not.toContain('extra')
    expectRefusal(
      await test.crm.post(questionsPath, { key: 'extra', type: 'text', label: { en: 'X' } }),
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
    const answer = await test.crm.post(questionsPath, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toBe(field)
  })

  it('do not depend on what only staff are asked', async () => {
    await ask('shared', 'checkbox')
    await ask('depending', 'text', { showIf: { key: 'shared', is: true } })
    await ask('for-staff', 'text', { audience: 'staff', showIf: { key: 'internal', is: 'x' } })
    const change = (key: string, audience: string) => test.crm.put(`${questionsPath}/${key}`, { audience })
    expectRefusal(await change('shared', 'staff'), 400, 'invalid-field', 'audience')
    expectRefusal(await change('for-staff', 'consumer'), 400, 'invalid-field', 'showIf')
    expect((await change('depending', 'staff')).status).toBe(200)
    expect((await change('shared', 'staff')).status).toBe(200)
  })

  it('stay in an order in which conditions work', async () => {
    const save = (questions: string[]) =>
      test.crm.post(`${practice.path}/products`, { reference: unique('product'), name: 'P', questions })
    expectRefusal(await save(['policy', 'insurer']), 400, 'invalid-field', 'questions')
    expectRefusal(await save(['nothing']), 400, 'invalid-field', 'questions')
    expectRefusal(await save(['reason', 'reason']), 400, 'invalid-field', 'questions')
    expect((await save(['insurer', 'policy'])).status).toBe(201)
    expectRefusal(await test.crm.delete(`${questionsPath}/insurer`), 409, 'question-in-use')
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
    const { body: log } = await test.crm.get('/events?kinds=participation.booked&limit=500')
    expect(log.events.at(-1).data.participation.answers).toEqual(answers)
    const [toConsumer] = await mailsTo(test, 'answers@example.org')
    expect(toConsumer!.text).toContain('Grund')
    expect(toConsumer!.text).not.toContain('P-1')
    expect(toConsumer!.html).toContain('Knee &lt;b&gt;')
    const notices = await mailsTo(test, 'desk@example.org')
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
    expect((await call(test.app, 'POST', url, raw, { headers })).status).toBe(400)
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
    const [mail] = await mailsTo(test, person.email)
    expect(mail!.text).toContain('/answers/')

    const path = new URL(created.answersLink).pathname
    const page = await call(test.app, 'GET', path)
    expect(page.text).toContain('name="answers.reason"')
    expect(page.text).toContain('Only if “insurer” is “PRIVATE”')
    expect(page.text).not.toContain('answers.internal')
    const post = (fields: Record<string, string>) =>
      call(test.app, 'POST', path, new URLSearchParams(fields).toString(), { headers: form })
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
    const { body: log } = await test.crm.get('/events?kinds=participation.changed&limit=500')
    expect(log.events).toHaveLength(1)
    test.clock.shiftMs = Date.parse('2030-01-08') - Date.now()
    expect((await call(test.app, 'GET', path)).status).toBe(410)
    expect((await post({})).status).toBe(410)
    test.clock.shiftMs = 0
  })

  it('is refused without answers where the Product requires them', async () => {
    const product = await makeProduct(test.crm, practice, {
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
    const product = await makeProduct(test.crm, practice, { questions: ['changing'] })
    const room = await roomWith()
    const [one, two, three] = await slots(room)
    const holdIt = (slot: typeof one) => hold(room, { ...slot!, product_uuid: product.uuid })
    const held = [await holdIt(one), await holdIt(two), await holdIt(three)]
    await ask('added', 'text', { required: true })
    await test.crm.put(`${questionsPath}/changing`, { options: options('kept', 'new') })
    await test.crm.post(`${practice.path}/products`, {
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
    const product = await makeProduct(test.crm, practice)
    const room = await roomWith()
    const held = await hold(room, { ...(await first(room)), product_uuid: product.uuid })
    await test.crm.post(`${practice.path}/products`, {
      reference: product.reference,
      name: 'Talk',
      questions: ['later'],
    })
    const finish = (later: unknown) => completeHold(held, { product_uuid: product.uuid, answers: { later } })
    expectRefusal(await finish('many'), 400, 'invalid-field', 'answers.later')
    expect((await finish(3)).status).toBe(201)
    expect((await participationOf(room)).answers).toEqual({ later: 3 })
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
    const ordered = await makeProduct(test.crm, practice, { questions: ['order'] })
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
    const { status, body } = await call(test.app, 'GET', path(practice.productUuid), undefined, { headers })
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
    expect((await call(test.app, 'GET', path(practice.product))).status).toBe(200)
    const plain = await makeProduct(test.crm, practice)
    expect((await call(test.app, 'GET', path(plain.uuid))).status).toBe(404)
    const about = await consumer.send('POST', `/resources/public_data?ref=${practice.resourceUuid}`)
    expect(about.body.provider.areCustomFieldsAllowed).toBe(true)
  })
})

describe('answers', () => {
  const everywhere = async (word: string) => {
    const { rows } = await test.service.db.pool.query(
      `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    const found: string[] = []
    for (const { relname } of rows) {
      const { rowCount } = await test.service.db.pool.query(
        `select from "${relname}" as one where one::text like $1 limit 1`,
        [`%${word}%`],
      )
      if (rowCount) found.push(relname)
    }
    return found
  }

  it('disappear with the Customer', async () => {
    const room = await roomWith()
    await book(room, await first(room), { answers: { ...good, reason: 'Unmistakable' } })
    expect(await everywhere('Unmistakable')).toEqual(expect.arrayContaining(['participation', 'mail']))
    const { customerReference } = await participationOf(room)
    expect(
      (await test.crm.delete(`${practice.path}/customers/${customerReference}?ignoreFutureAppointments=true`))
        .status,
    ).toBe(204)
    expect(await everywhere('Unmistakable')).toEqual([])
  })

  it('are removed some days after the Appointment', async () => {
    await ask('secret', 'text', { keepDays: 10 })
    const product = await makeProduct(test.crm, practice, { questions: ['secret', 'weight'] })
    const room = await roomWith()
    await book(room, await first(room), {
      product_uuid: product.uuid,
      answers: { secret: 'Shortlived', weight: 3 },
    })
    expect(await purgeAnswers(test.service, { dryRun: false })).toBe(0)
    test.clock.shiftMs = Date.parse('2030-01-18T12:00Z') - Date.now()
    expect(await purgeAnswers(test.service, { dryRun: true })).toBe(1)
    expect(await purgeAnswers(test.service, { dryRun: false })).toBe(1)
    test.clock.shiftMs = 0
    expect((await participationOf(room)).answers).toEqual({ weight: 3 })
    expect(await everywhere('Shortlived')).toEqual([])
  })

  it('stay readable after the question was deleted', async () => {
    await ask('gone', 'text')
    const product = await makeProduct(test.crm, practice, { questions: ['gone'] })
    const room = await roomWith()
    await book(room, await first(room), { product_uuid: product.uuid, answers: { gone: 'Here' } })
    await test.crm.delete(`${questionsPath}/gone`)
    expect((await participationOf(room)).answers).toEqual({ gone: 'Here' })
    const { body } = await test.crm.get(`${practice.path}/products`)
    expect(body.find((one: Fields) => one.uuid === product.uuid).questions).toEqual([])
  })
})
