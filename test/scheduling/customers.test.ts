import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordEvents } from '../../src/actions/record-events.ts'
import { consumerActor, type EventKind } from '../../src/rules/messages/events.ts'
import {
  appointmentBody,
  asConsumerMade,
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeRoom,
  makeTimeslot,
  type Practice,
  unique,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { awkwardReferences, keepsHostileText, wrongReferences } from '../support/hostile.ts'
import { rowsThatMention } from '../support/leftovers.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { allows, requires } from '../support/required.ts'
import {
  type Answer,
  eventually,
  jobsQueued,
  runJobs,
  startTestService,
  type TestService,
  useService,
} from '../support/service.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

type Body = Record<string, Answer['body']>

const body = (fields: Body = {}) => ({
  customerReference: unique('customer'),
  providerReference: practice.reference,
  userName: 'Ann Winter',
  ...fields,
})
const pathOf = (reference: string, of = practice) => `${of.path}/customers/${encodeURIComponent(reference)}`
const create = (sent: unknown) => holdfast.crm.post(`${practice.path}/customers`, sent)
const get = (reference: string) => holdfast.crm.get(pathOf(reference))
const update = (reference: string, sent: unknown) => holdfast.crm.put(pathOf(reference), sent)
const remove = (reference: string, query = '') => holdfast.crm.delete(`${pathOf(reference)}${query}`)

const noDetails = {
  birthDate: null,
  address: null,
  insurer: null,
  insuranceNumber: null,
  fields: {},
  tags: [],
}
const full = {
  ...noDetails,
  email: 'ann@example.org',
  mobile: '+49 170 1',
  note: 'Prefers tea',
  language: 'fr',
}
const unset = { ...noDetails, email: null, mobile: null, note: null, language: null }
const past = { start: '2020-01-06T10:00', end: '2020-01-06T11:00' }
const future = { start: '2090-01-06T10:00', end: '2090-01-06T11:00' }

async function participationsIn(appointment: string): Promise<Body[]> {
  const { body } = await holdfast.crm.get(`${practice.path}/appointments?includeArchived`)
  return body.find((one: Body) => one.reference === appointment)?.participations
}

describe('Create Customer', () => {
  it('returns 201 for a new one, with null for unset fields', async () => {
    const sent = body()
    const { status, body: answer } = await create(sent)
    expect(status).toBe(201)
    expect(answer).toEqual({ 'api-info': { version: '1' }, customer: { uuid, ...sent, ...unset } })
  })

  it('stores everything that is sent', async () => {
    const sent = body(full)
    expect((await create(sent)).body.customer).toEqual({ uuid, ...sent })
    expect((await get(sent.customerReference)).body.customer).toEqual({ uuid, ...sent })
  })

  it('returns 200 for a known reference and overwrites nothing', async () => {
    const sent = body(full)
    const first = await create(sent)
    const again = await create({ ...sent, userName: 'Other', email: 'other@example.org', note: null })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect((await get(sent.customerReference)).body).toEqual(first.body)
  })

  it('can have the same reference at another Provider', async () => {
    const stranger = await makePractice(holdfast.crm)
    const sent = body()
    await create(sent)
    const there = { ...sent, providerReference: stranger.reference, userName: 'Other' }
    expect((await holdfast.crm.post(`${stranger.path}/customers`, there)).status).toBe(201)
    expect((await get(sent.customerReference)).body.customer.userName).toBe('Ann Winter')
  })

  it('refuses a providerReference that differs from the path', async () => {
    const stranger = await makePractice(holdfast.crm)
    for (const providerReference of [stranger.reference, 'nobody@plat'])
      expectRefusal(await create(body({ providerReference })), 400, 'invalid-field', 'providerReference')
  })

  requires({ customerReference: 'text', providerReference: 'text', userName: 'text' }, () => body(), create)
  allows(
    { email: 'text', mobile: 'text', note: 'text', language: 'text' },
    () => body(full),
    sent => create({ ...sent, customerReference: unique('customer') }),
  )
  keepsHostileText(
    ['userName', 'note'],
    fields => create(body(fields)),
    ({ body: answer }) => answer.customer,
  )

  it.each([
    ['a note of 1024 characters', { note: 'ä'.repeat(1024) }, 'note'],
    ['an email that is none', { email: 'ann' }, 'email'],
    ['a language that is none', { language: '!' }, 'language'],
    ['a language that we do not speak', { language: 'nl' }, 'language'],
    ['a word that begins like one', { language: 'english' }, 'language'],
  ])('refuses %s', async (_, wrong, field) => {
    expectRefusal(await create(body(wrong)), 400, 'invalid-field', field)
  })

  it.each(['ä', '🙂'])('takes a note of 1023 characters: %s', async character => {
    const note = character.repeat(1023)
    expect((await create(body({ note }))).body.customer.note).toBe(note)
  })

  it.each(awkwardReferences)('accepts a reference with %s, also in the path', async (_, reference) => {
    const customerReference = reference.length < 200 ? `${unique('c')}${reference}` : reference
    expect((await create(body({ customerReference }))).status).toBe(201)
    expect((await get(customerReference)).body.customer.customerReference).toBe(customerReference)
    expect((await remove(customerReference)).status).toBe(204)
  })

  it.each(wrongReferences)('refuses a reference with %s', async (_, customerReference) => {
    expectRefusal(await create(body({ customerReference })), 400, 'invalid-field', 'customerReference')
  })
})

describe('Get Customer', () => {
  it('returns 200 with the record', async () => {
    const sent = body(full)
    await create(sent)
    expect(await get(sent.customerReference)).toMatchObject({
      status: 200,
      body: { 'api-info': { version: '1' }, customer: sent },
    })
  })

  it('returns 204 without a body if there is none, or only at another Provider', async () => {
    const stranger = await makePractice(holdfast.crm)
    const { customerReference } = await makeCustomer(holdfast.crm, stranger)
    for (const reference of ['nobody@plat', customerReference])
      expect(await get(reference)).toMatchObject({ status: 204, text: '' })
  })

  it('returns 404 for an unknown Provider, and for one of another CRM', async () => {
    expectRefusal(await holdfast.crm.get('/provider/unknown%40plat/customers/x'), 404, 'not-found')
    expectRefusal(await holdfast.otherCrm.get(pathOf('x')), 404, 'not-found')
  })
})

describe('Update Customer', () => {
  it.each([
    ['userName', 'Ben'],
    ['email', 'ben@example.org'],
    ['mobile', '+43 1'],
    ['note', 'New'],
    ['language', 'it'],
    ['email', null],
    ['mobile', null],
    ['note', null],
    ['language', null],
  ])('changes %s to %s and nothing else', async (field, value) => {
    const sent = body(full)
    await create(sent)
    const { status, body: answer } = await update(sent.customerReference, { [field]: value })
    expect(status).toBe(200)
    expect(answer).toEqual({ 'api-info': { version: '1' }, customer: { uuid, ...sent, [field]: value } })
    expect((await get(sent.customerReference)).body).toEqual(answer)
  })

  it('changes nothing when nothing is sent', async () => {
    const sent = body(full)
    await create(sent)
    expect((await update(sent.customerReference, {})).body.customer).toEqual({ uuid, ...sent })
  })

  it('renames: only the new reference finds it, with its Participations', async () => {
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    const { reference: appointment } = await makeAppointment(holdfast.crm, practice)
    const { reference } = await makeParticipation(holdfast.crm, practice, appointment, 'BOOKED', {
      customerReference,
    })
    const renamed = unique('renamed')
    const { status, body: answer } = await update(customerReference, { customerReference: renamed })
    expect([status, answer.customer.customerReference]).toEqual([200, renamed])
    expect((await get(customerReference)).status).toBe(204)
    expect((await get(renamed)).status).toBe(200)
    const again = await holdfast.crm.post(
      `${practice.path}/participations/${encodeURIComponent(reference)}`,
      {
        state: 'BOOKED',
      },
    )
    expect(again.body.participation.customerReference).toBe(renamed)
    expect((await create(body({ customerReference }))).status).toBe(201)
  })

  it('returns 409 for a reference that is taken, but accepts its own', async () => {
    const [one, two] = [body(), body()]
    await create(one)
    await create(two)
    const { customerReference } = two
    expectRefusal(
      await update(one.customerReference, { customerReference, userName: 'Ben' }),
      409,
      'reference-exists',
      'customerReference',
    )
    expect((await get(one.customerReference)).body.customer.userName).toBe('Ann Winter')
    expect((await update(customerReference, { customerReference })).status).toBe(200)
  })

  it.each([
    ['customerReference', '', 'missing-field'],
    ['customerReference', ' ', 'missing-field'],
    ['customerReference', null, 'missing-field'],
    ['userName', '', 'missing-field'],
    ['userName', ' ', 'missing-field'],
    ['userName', null, 'missing-field'],
    ['note', 'x'.repeat(1024), 'invalid-field'],
    ['email', 'ann', 'invalid-field'],
    ['userName', 5, 'invalid-field'],
    ['providerReference', 'nobody@plat', 'invalid-field'],
  ])('refuses %s = %j', async (field, value, code) => {
    const sent = body(full)
    await create(sent)
    expectRefusal(await update(sent.customerReference, { [field]: value }), 400, code, field)
    expect((await get(sent.customerReference)).body.customer).toEqual({ uuid, ...sent })
  })

  it('accepts the providerReference of the path', async () => {
    const sent = body()
    await create(sent)
    const { status } = await update(sent.customerReference, { providerReference: practice.reference })
    expect(status).toBe(200)
  })

  it('returns 404 for an unknown one, and for one of another Provider', async () => {
    const stranger = await makePractice(holdfast.crm)
    const { customerReference } = await makeCustomer(holdfast.crm, stranger)
    for (const reference of ['nobody@plat', customerReference])
      expectRefusal(await update(reference, { userName: 'Ben' }), 404, 'not-found')
  })

  it('affects emails of Participations created afterwards', async () => {
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    const email = `${unique('new').replace('@plat', '')}@example.org`
    await update(customerReference, { email })
    const { reference } = await makeAppointment(holdfast.crm, practice)
    await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', { customerReference })
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
  })
})

describe('Delete Customer', () => {
  /** A Customer with one Participation. */
  async function customerIn(when: typeof future, state: string, fields: Body = {}) {
    const customer = await makeCustomer(holdfast.crm, practice, fields)
    const { customerReference } = customer
    const { reference: appointment, uuid } = await makeAppointment(holdfast.crm, practice, when)
    await makeParticipation(holdfast.crm, practice, appointment, state, {
      customerReference,
      query: '?sendMails=false',
    })
    return { ...customer, appointment, uuid }
  }

  it('returns 204 without a body, and the Customer is gone', async () => {
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    expect(await remove(customerReference)).toMatchObject({ status: 204, text: '' })
    expect((await get(customerReference)).status).toBe(204)
    expectRefusal(await remove(customerReference), 404, 'not-found')
    expectRefusal(await update(customerReference, { userName: 'x' }), 404, 'not-found')
  })

  it('frees the reference: the next Customer with it inherits nothing', async () => {
    const sent = body(full)
    await create(sent)
    await remove(sent.customerReference)
    const { status, body: answer } = await create(body({ customerReference: sent.customerReference }))
    expect([status, answer.customer]).toMatchObject([201, unset])
  })

  it('can erase several Customers with the same reference in turn', async () => {
    const customerReference = unique('customer')
    for (let round = 0; round < 3; round++) {
      expect((await create(body({ customerReference }))).status).toBe(201)
      expect((await remove(customerReference)).status).toBe(204)
    }
  })

  it.each(['BOOKED', 'REQUESTED'])('is refused with 409 while a %s Participation is to come', async state => {
    const { customerReference, appointment } = await customerIn(future, state)
    expectRefusal(await remove(customerReference), 409, 'future-appointments')
    for (const no of ['?ignoreFutureAppointments=false', '?ignoreFutureAppointments=0'])
      expectRefusal(await remove(customerReference, no), 409, 'future-appointments')
    expect((await get(customerReference)).status).toBe(200)
    expect(await participationsIn(appointment)).toMatchObject([{ state, name: 'Ann Winter' }])
  })

  it.each(['?ignoreFutureAppointments', '?ignoreFutureAppointments=true', '?ignoreFutureAppointments=1'])(
    'with %s cancels upcoming Participations and notifies the Customer',
    async query => {
      const { customerReference, email, appointment } = await customerIn(future, 'BOOKED')
      expect((await remove(customerReference, query)).status).toBe(204)
      expect(await participationsIn(appointment)).toEqual([
        {
          reference: expect.any(String),
          customerReference: null,
          state: 'CANCELED',
          name: null,
          email: null,
          mobile: null,
          note: null,
          attendance: null,
          messages: null,
          answers: {},
          answersMissing: false,
          places: 1,
          placeNames: [],
        },
      ])
      expect(await mailKindsTo(holdfast, email)).toEqual(['cancelled'])
    },
  )

  it.each([
    ['is over', past, 'BOOKED'],
    ['was cancelled', future, 'CANCELED'],
    ['was deleted', future, 'DELETED'],
  ])('requires no flag for what %s', async (_, when, state) => {
    const { customerReference, email, appointment } = await customerIn(when, state)
    expect((await remove(customerReference)).status).toBe(204)
    expect(await participationsIn(appointment)).toMatchObject([{ state, name: null, email: null }])
    expect(await mailKindsTo(holdfast, email)).toEqual([])
  })

  it('requires no flag when the Appointment itself was cancelled or deleted', async () => {
    for (const path of ['appointments', 'appointments/withoutNotification']) {
      const { customerReference, appointment } = await customerIn(future, 'BOOKED')
      await holdfast.crm.delete(`${practice.path}/${path}`, { appointmentReference: appointment })
      expect((await remove(customerReference)).status).toBe(204)
    }
  })

  it('counts an Appointment as future until it ends', async () => {
    const running = {
      start: new Date(Date.now() - 3_600_000).toISOString(),
      end: new Date(Date.now() + 3_600_000).toISOString(),
    }
    const { customerReference } = await customerIn(running, 'BOOKED')
    expectRefusal(await remove(customerReference), 409, 'future-appointments')
    holdfast.clock.shiftMs = 3_600_000
    expect((await remove(customerReference)).status).toBe(204)
  })

  it('releases a hold without an email, so that it cannot be confirmed afterwards', async () => {
    const { customerReference, email, appointment } = await customerIn(future, 'RESERVED')
    expect((await remove(customerReference)).status).toBe(204)
    expect(await participationsIn(appointment)).toMatchObject([{ state: 'CANCELED', name: null }])
    expect(await mailKindsTo(holdfast, email)).toEqual([])
  })

  it('works for a Customer without an address', async () => {
    const { customerReference, appointment } = await customerIn(future, 'BOOKED', { email: null })
    expect((await remove(customerReference, '?ignoreFutureAppointments')).status).toBe(204)
    expect(await participationsIn(appointment)).toMatchObject([{ state: 'CANCELED', name: null }])
  })

  it('closes a consumer Appointment that becomes empty', async () => {
    const { customerReference, appointment, uuid } = await customerIn(future, 'BOOKED')
    await asConsumerMade(holdfast, uuid)
    await remove(customerReference, '?ignoreFutureAppointments')
    const { body: appointments } = await holdfast.crm.get(`${practice.path}/appointments`)
    expect(appointments.find((one: Body) => one.reference === appointment).state).toBe('CANCELLED')
  })

  it('includes Participations created with an Appointment under the same email', async () => {
    const { customerReference, email } = await makeCustomer(holdfast.crm, practice)
    const inline = (when: typeof future) =>
      appointmentBody(practice, {
        ...when,
        participations: [
          { reference: unique('p'), name: 'Ann W.', email: email.toUpperCase(), state: 'BOOKED' },
          { reference: unique('p'), name: 'Ben', email: 'ben@example.org', state: 'BOOKED' },
        ],
      })
    const [before, after] = [inline(past), inline(future)]
    for (const one of [before, after]) await holdfast.crm.post(`${practice.path}/appointments`, one)
    expectRefusal(await remove(customerReference), 409, 'future-appointments')
    expect((await remove(customerReference, '?ignoreFutureAppointments')).status).toBe(204)
    expect(await participationsIn(before.reference)).toMatchObject([
      { state: 'BOOKED', name: null, email: null },
      { state: 'BOOKED', name: 'Ben' },
    ])
    expect(await participationsIn(after.reference)).toMatchObject([
      { state: 'CANCELED', name: null, email: null },
      { state: 'BOOKED', name: 'Ben' },
    ])
    expect(await mailKindsTo(holdfast, email)).toEqual(['cancelled'])
  })

  it('returns 404 for an unknown one, and for one of another Provider', async () => {
    const stranger = await makePractice(holdfast.crm)
    const { customerReference } = await makeCustomer(holdfast.crm, stranger)
    for (const reference of ['nobody@plat', customerReference])
      expectRefusal(await remove(reference), 404, 'not-found')
    expect((await holdfast.crm.get(pathOf(customerReference, stranger))).status).toBe(200)
  })

  it('affects no other Customer, not even one with the same name and address at another Provider', async () => {
    const stranger = await makePractice(holdfast.crm)
    const twin = await makeCustomer(holdfast.crm, stranger, { email: 'twin@example.org', note: 'kept' })
    const { reference } = await makeAppointment(holdfast.crm, stranger)
    const { customerReference: twinReference } = twin
    await makeParticipation(holdfast.crm, stranger, reference, 'BOOKED', { customerReference: twinReference })
    const { customerReference } = await makeCustomer(holdfast.crm, practice, { email: 'twin@example.org' })
    await remove(customerReference)
    const { body: kept } = await holdfast.crm.get(pathOf(twinReference, stranger))
    expect(kept.customer).toMatchObject({ email: 'twin@example.org', note: 'kept', userName: 'Ann Winter' })
    const { body: appointments } = await holdfast.crm.get(`${stranger.path}/appointments`)
    expect(appointments[0].participations).toMatchObject([{ name: 'Ann Winter', email: 'twin@example.org' }])
  })
})

describe('erasure', () => {
  const person = {
    userName: 'Zelda Quaxington',
    email: 'zelda.quaxington@post.example',
    mobile: '+49 170 5550199',
    note: 'has the squeaky chair',
    language: 'en',
  }
  const messages = ['first marmalade', 'second marmalade', 'third marmalade']
  const traces = ['quaxington', 'zelda', '5550199', 'squeaky chair', 'marmalade']

  let smtp: TestSmtp
  let own: TestService
  let practice: Practice
  beforeAll(async () => {
    smtp = await startSmtp()
    own = await startTestService({ SMTP_URL: smtp.url })
    practice = await makePractice(own.crm)
  })
  afterAll(async () => {
    await own.close()
    await smtp.close()
  })

  const move = (participation: string, state: string, message?: string) =>
    own.crm.post(`${practice.path}/participations/${encodeURIComponent(participation)}`, { state, message })
  const ask = (statement: string) => own.query(statement)
  const waiting = () => ask(`select * from mail where state = 'queued'`)
  const isRefused = (mail: { last_error: string }) => /quaxington/.test(mail.last_error)
  const history = async () =>
    (
      await ask(`
        select count(*)::int as participations, (select count(*)::int from appointment) as appointments,
          (select count(*)::int from mail) as mails
        from participation
      `)
    )[0]

  /** A long history with every kind of email. Returns an Appointment that includes another person. */
  async function liveThrough(customerReference: string) {
    const take = (appointment: string, state: string, message?: string) =>
      makeParticipation(own.crm, practice, appointment, state, { customerReference, message })
    const at = async (when: typeof future) => (await makeAppointment(own.crm, practice, when)).reference
    const ben = await makeCustomer(own.crm, practice, { email: 'ben@example.org', userName: 'Ben' })
    const shared = await at(future)
    await makeParticipation(own.crm, practice, shared, 'BOOKED', { customerReference: ben.customerReference })

    await take(await at(past), 'BOOKED', messages[0])
    const declined = await take(await at(past), 'REQUESTED')
    await move(declined.reference, 'CANCELED', messages[1])
    const left = await take(await at(future), 'BOOKED')
    await move(left.reference, 'CANCELED', messages[2])
    await move((await take(await at(past), 'BOOKED')).reference, 'DELETED')
    const cancelled = await at(future)
    await take(cancelled, 'BOOKED')
    await own.crm.delete(`${practice.path}/appointments?message=${messages[0]}`, {
      appointmentReference: cancelled,
    })
    const deleted = await at(future)
    await take(deleted, 'BOOKED')
    await own.crm.delete(`${practice.path}/appointments/withoutNotification`, {
      appointmentReference: deleted,
    })
    const { userName: name, email, mobile, note } = person
    await own.crm.post(`${practice.path}/appointments`, {
      ...appointmentBody(practice, past),
      participations: [{ reference: unique('p'), name, email, mobile, note, state: 'BOOKED' }],
    })
    await take(await at(future), 'REQUESTED')
    const { reference } = await take(shared, 'BOOKED')

    const [{ id, provider_id }] = await ask(`select * from participation where reference = '${reference}'`)
    const kinds: EventKind[] = [
      'participation.booked',
      'participation.requested',
      'participation.cancelled',
      'participation.reminded',
    ]
    for (const kind of kinds)
      await own.service.db.transaction(tx =>
        recordEvents(tx, own.service, {
          actor: consumerActor,
          provider: { id: provider_id },
          events: { [kind]: [id] },
          message: messages[0],
        }),
      )
    return shared
  }

  it('leaves nothing of the person in any table: delivered, refused, waiting and abandoned emails', async () => {
    const oldReference = 'zelda.quaxington@old'
    const customerReference = 'quaxington-77@plat'
    const pathTo = (reference: string) => `${practice.path}/customers/${encodeURIComponent(reference)}`
    await makeCustomer(own.crm, practice, { ...person, customerReference: oldReference })
    await own.crm.put(pathTo(oldReference), { customerReference })

    const worker = runJobs(own)
    const shared = await liveThrough(customerReference)
    await eventually(async () => (await waiting()).length === 0)
    const kinds = smtp.to(person.email).map(letter => letter.kind)
    expect(new Set(kinds)).toEqual(new Set(['booked', 'requested', 'declined', 'cancelled', 'reminder']))
    expect(kinds).toHaveLength(15)

    // Two emails that the server refuses, naming the address, one of them for the last time, and one not
    // tried yet.
    const { reference: appointment } = await makeAppointment(own.crm, practice, future)
    smtp.moods.push('busy')
    const refused = await makeParticipation(own.crm, practice, appointment, 'BOOKED', { customerReference })
    await eventually(async () => (await waiting()).filter(isRefused).length === 1)
    await ask('update graphile_worker._private_jobs set max_attempts = attempts')
    smtp.moods.push('busy')
    await move(refused.reference, 'CANCELED', messages[1])
    await eventually(async () => (await waiting()).filter(isRefused).length === 2)
    await worker.stop()
    await makeParticipation(own.crm, practice, appointment, 'BOOKED', { customerReference })

    const before = await history()
    expect((await rowsThatMention(own, traces)).length).toBeGreaterThan(20)
    expectRefusal(await own.crm.delete(pathTo(customerReference)), 409, 'future-appointments')
    const { status } = await own.crm.delete(`${pathTo(customerReference)}?ignoreFutureAppointments`)
    expect(status).toBe(204)

    // Until they are delivered, only the last emails know their recipient.
    const last = await rowsThatMention(own, traces)
    expect(last.map(row => row.split(':')[0])).toEqual(['public.mail', 'public.mail', 'public.mail'])

    const deliveredBefore = smtp.to(person.email).length
    runJobs(own)
    await eventually(async () => (await waiting()).length === 0)
    const farewell = smtp.to(person.email).slice(deliveredBefore)
    expect(farewell.map(letter => letter.kind)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(farewell[0]!.mail.text).toContain(person.userName)

    expect(await rowsThatMention(own, traces)).toEqual([])
    expect(await history()).toEqual({ ...before, mails: before.mails + 3 })
    const { body: appointments } = await own.crm.get(`${practice.path}/appointments`)
    const { participations } = appointments.find((one: Body) => one.reference === shared)
    expect(participations).toMatchObject([
      { state: 'BOOKED', name: 'Ben' },
      { state: 'CANCELED', name: null },
    ])
  })

  it('includes data stored with an Appointment under a former address of the Customer', async () => {
    const old = 'zelda.old@post.example'
    const { customerReference } = await makeCustomer(own.crm, practice, { ...person, email: old })
    const path = `${practice.path}/customers/${encodeURIComponent(customerReference)}`
    const inline = {
      name: person.userName,
      email: 'Zelda.OLD@post.example',
      note: 'squeaky chair',
      state: 'BOOKED',
    }
    for (const when of [past, future])
      await own.crm.post(`${practice.path}/appointments`, {
        ...appointmentBody(practice, when),
        participations: [{ ...inline, reference: unique('p') }],
      })
    for (const email of ['zelda.between@post.example', person.email]) await own.crm.put(path, { email })
    expectRefusal(await own.crm.delete(path), 409, 'future-appointments')
    const worker = runJobs(own)
    expect((await own.crm.delete(`${path}?ignoreFutureAppointments`)).status).toBe(204)
    await eventually(async () => (await waiting()).length === 0)
    await worker.stop()
    expect(smtp.to(old)).toEqual([])
    expect(smtp.to(person.email).at(-1)!.kind).toBe('cancelled')
    expect(await rowsThatMention(own, traces)).toEqual([])
  })

  it("includes a consumer's User, hold and notices", async () => {
    const room = await makeRoom(own.crm, practice)
    await makeTimeslot(own.crm, room, { start: '2090-01-09T10:00', end: '2090-01-09T11:00' })
    const consumer = asConsumer(overApp(own.app))
    const [slot] = slotsOf(await consumer.list(room.resource))
    const held = await consumer.reserve(room.resource, holdOf(slot!))
    const { status } = await consumer.complete(
      room.resource,
      bookingOf(slot!, {
        placeholder_id: held.body.participation.customer_uuid,
        firstname: 'Zelda',
        lastname: 'Quaxington',
        email: person.email,
        mobile: person.mobile,
        message: messages[0],
        locale: 'en',
      }),
    )
    expect(status).toBe(201)
    const worker = runJobs(own)
    await eventually(async () => (await waiting()).length === 0)
    const [{ reference }] = await ask(`select reference from customer where email = '${person.email}'`)
    const path = `${practice.path}/customers/${encodeURIComponent(reference)}`
    expect((await own.crm.delete(`${path}?ignoreFutureAppointments`)).status).toBe(204)
    await eventually(async () => (await waiting()).length === 0)
    await worker.stop()
    expect(smtp.to(person.email).at(-1)!.kind).toBe('cancelled')
    expect(await rowsThatMention(own, traces)).toEqual([])
  })

  async function eraseSomebodyBooked(service: TestService, practice: Practice) {
    const { customerReference } = await makeCustomer(service.crm, practice, person)
    const { reference } = await makeAppointment(service.crm, practice, future)
    await makeParticipation(service.crm, practice, reference, 'BOOKED', {
      customerReference,
      query: '?sendMails=false',
    })
    await service.crm.delete(
      `${practice.path}/customers/${encodeURIComponent(customerReference)}?ignoreFutureAppointments`,
    )
  }

  it('deletes the address of the last email when it is abandoned', async () => {
    await eraseSomebodyBooked(own, practice)
    expect(await rowsThatMention(own, traces)).toHaveLength(1)
    await jobsQueued(own)
    await ask('update graphile_worker._private_jobs set max_attempts = 1')
    smtp.moods.push('refuse')
    runJobs(own)
    await eventually(async () => (await waiting()).length === 0)
    expect(await rowsThatMention(own, traces)).toEqual([])
  })

  it('deletes it when the email is kept because there is no mail server', async () => {
    const kept = await startTestService()
    try {
      await eraseSomebodyBooked(kept, await makePractice(kept.crm))
      expect(await rowsThatMention(kept, traces)).toHaveLength(1)
      const worker = runJobs(kept)
      await eventually(async () => (await rowsThatMention(kept, traces)).length === 0)
      await worker.stop()
      const rows = await kept.query(`select state, recipient from mail where kind = 'cancelled'`)
      expect(rows).toEqual([{ state: 'kept', recipient: null }])
    } finally {
      await kept.close()
    }
  })
})
