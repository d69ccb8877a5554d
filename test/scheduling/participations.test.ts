import { beforeEach, describe, expect, it } from 'vitest'
import { messagesCausedBy } from '../../src/rules/messages/messages.ts'
import { participationStates, transitions } from '../../src/rules/states/participations.ts'
import {
  asConsumerMade,
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeResource,
  makeRoom,
  makeTimeslot,
  type Practice,
  unique,
} from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { mailKindsTo, mailsTo } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { allows, requires } from '../support/required.ts'
import { type Answer, startTestService, useService } from '../support/service.ts'
import { whileWaiting } from '../support/transactions.ts'

const holdfast = await useService()
let practice: Practice = await makePractice(holdfast.crm)
// Each test has its own Resource, so that lists are short.
beforeEach(async () => {
  holdfast.clock.shiftMs = 0
  practice = await makeRoom(holdfast.crm, practice)
})

type Body = Record<string, Answer['body']>
type State = (typeof participationStates)[number]

const create = (body: unknown, query = '') =>
  holdfast.crm.post(`${practice.path}/participations${query}`, body)
const update = (reference: string, body: unknown, query = '') =>
  holdfast.crm.post(`${practice.path}/participations/${encodeURIComponent(reference)}${query}`, body)

async function findAppointment(reference: string): Promise<Body | undefined> {
  const query = `resourceRef=${encodeURIComponent(practice.resource)}`
  const { body } = await holdfast.crm.get(`${practice.path}/appointments?${query}`)
  return body.find((one: Body) => one.reference === reference)
}
const statesIn = async (appointment: string): Promise<string[]> =>
  (await findAppointment(appointment))!.participations.map((one: Body) => one.state)

const appointmentWith = async (capacity: number) =>
  (await makeAppointment(holdfast.crm, practice, { capacity })).reference

async function participationBody(fields: Body = {}) {
  return {
    reference: unique('participation'),
    appointmentReference: fields.appointmentReference ?? (await appointmentWith(1)),
    customerReference:
      fields.customerReference ?? (await makeCustomer(holdfast.crm, practice)).customerReference,
    state: 'BOOKED',
    ...fields,
  }
}

/** In an Appointment of its own, without an email so far. */
async function startIn(state: State) {
  const appointment = await appointmentWith(5)
  const made = await makeParticipation(holdfast.crm, practice, appointment, state, {
    query: '?sendMails=false',
  })
  return { ...made, appointment }
}

// The specification's table once more: from, to, status, resulting state, email.
const moves: [State, State, number, State, string | null][] = [
  ['RESERVED', 'RESERVED', 200, 'RESERVED', null],
  ['RESERVED', 'REQUESTED', 400, 'RESERVED', null],
  ['RESERVED', 'BOOKED', 200, 'BOOKED', 'booked'],
  ['RESERVED', 'CANCELED', 200, 'CANCELED', null],
  ['RESERVED', 'DELETED', 409, 'RESERVED', null],
  ['REQUESTED', 'RESERVED', 400, 'REQUESTED', null],
  ['REQUESTED', 'REQUESTED', 200, 'REQUESTED', null],
  ['REQUESTED', 'BOOKED', 200, 'BOOKED', 'booked'],
  ['REQUESTED', 'CANCELED', 200, 'CANCELED', 'declined'],
  ['REQUESTED', 'DELETED', 409, 'REQUESTED', null],
  ['BOOKED', 'RESERVED', 400, 'BOOKED', null],
  ['BOOKED', 'REQUESTED', 400, 'BOOKED', null],
  ['BOOKED', 'BOOKED', 200, 'BOOKED', null],
  ['BOOKED', 'CANCELED', 200, 'CANCELED', 'cancelled'],
  ['BOOKED', 'DELETED', 200, 'DELETED', null],
  ['CANCELED', 'RESERVED', 400, 'CANCELED', null],
  ['CANCELED', 'REQUESTED', 400, 'CANCELED', null],
  ['CANCELED', 'BOOKED', 409, 'CANCELED', null],
  ['CANCELED', 'CANCELED', 200, 'CANCELED', null],
  ['CANCELED', 'DELETED', 409, 'CANCELED', null],
  ['DELETED', 'RESERVED', 400, 'DELETED', null],
  ['DELETED', 'REQUESTED', 400, 'DELETED', null],
  ['DELETED', 'BOOKED', 409, 'DELETED', null],
  ['DELETED', 'CANCELED', 200, 'CANCELED', null],
  ['DELETED', 'DELETED', 200, 'DELETED', null],
]
const refusals: Record<number, string> = { 400: 'invalid-field', 409: 'transition-not-allowed' }

/** The email that the CRM's transition causes. */
const mailOf = ({ event, quiet }: (typeof transitions)[number]) =>
  (event && !quiet && messagesCausedBy(event, { kind: 'key', name: 'k' })[0]) || null

describe('the table of transitions', () => {
  it('covers all pairs of states', () => {
    expect(moves).toHaveLength(participationStates.length ** 2)
    expect(new Set(moves.map(([from, to]) => `${from} ${to}`)).size).toBe(moves.length)
  })

  it('matches the code', () => {
    const changing = moves.filter(([from, to, status]) => status === 200 && from !== to)
    const asText = ([from, to, mail]: unknown[]) => `${from} ${to} ${mail}`
    expect(transitions.map(one => asText([one.from, one.to, mailOf(one)])).toSorted()).toEqual(
      changing.map(([from, to, _third, _fourth, mail]) => asText([from, to, mail])).toSorted(),
    )
  })
})

it.each(['BOOKED', 'RESERVED'])(
  "adding a person (%s) to a held slot creates the Appointment's event once",
  async state => {
    await makeTimeslot(holdfast.crm, practice, { defaultCapacity: 3 })
    const consumer = asConsumer(overApp(holdfast.app))
    const { next } = (await holdfast.crm.get('/events?after=now')).body
    const [slot] = slotsOf(await consumer.list(practice.resource))
    const { body } = await consumer.reserve(practice.resource, holdOf(slot!))
    const { customer_uuid: placeholder_id, appointment_uuid } = body.participation
    const { reference } = await makeParticipation(
      holdfast.crm,
      practice,
      `${appointment_uuid}@consumer`,
      state,
      {
        query: '',
      },
    )
    const path = `${practice.path}/participations/${encodeURIComponent(reference)}`
    expect((await holdfast.crm.post(path, { state: 'BOOKED' })).status).toBe(200)
    const booking = bookingOf(slot!, { placeholder_id })
    expect((await consumer.complete(practice.resource, booking)).status).toBe(201)
    const { events } = (await holdfast.crm.get(`/events?after=${next}`)).body
    const kinds: string[] = events.map((event: Body) => event.kind)
    expect(kinds.filter(kind => !kind.startsWith('customer.'))).toEqual([
      // The hold of a Customer.
      ...(state === 'RESERVED' ? ['appointment.changed'] : []),
      'appointment.created',
      'participation.booked',
      'participation.booked',
    ])
  },
)

describe('Update Participation', () => {
  it.each(moves)('%s to %s: %s, then %s, email %s', async (from, to, status, then, mail) => {
    const { reference, email, appointment, customerReference } = await startIn(from)
    const answer = await update(reference, { state: to })
    if (status === 200) {
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        'api-info': { version: '1' },
        participation: {
          reference,
          email,
          mobile: null,
          name: 'Ann Winter',
          note: null,
          state: then,
          attendance: null,
          messages: null,
          appointmentReference: appointment,
          customerReference,
          answers: {},
          answersMissing: false,
          places: 1,
          placeNames: [],
        },
      })
    } else expectRefusal(answer, status, refusals[status]!, 'state')
    expect(await statesIn(appointment)).toEqual([then])
    expect(await mailKindsTo(holdfast, email)).toEqual(mail ? [mail] : [])
  })

  it.each(transitions)('$from to $to causes one event: $event', async one => {
    const { reference } = await startIn(one.from)
    const { next } = (await holdfast.crm.get('/events?after=now')).body
    expect((await update(reference, { state: one.to })).status).toBe(200)
    const { events } = (await holdfast.crm.get(`/events?after=${next}`)).body
    const recorded = events.filter((event: Body) => event.kind.startsWith('participation.'))
    expect(recorded.map((event: Body) => event.kind)).toEqual(one.event ? [one.event] : [])
  })

  it.each(moves.filter(([_key, _second, _third, _fourth, mail]) => mail))(
    '%s to %s with sendMails=false: no email',
    async (from, to, _status, then) => {
      const { reference, email, appointment } = await startIn(from)
      expect((await update(reference, { state: to }, '?sendMails=false')).status).toBe(200)
      expect(await statesIn(appointment)).toEqual([then])
      expect(await mailKindsTo(holdfast, email)).toEqual([])
    },
  )

  it.each(transitions)('$from to $to twice: 200 both times, and no second email', async transition => {
    const { from, to } = transition
    const mail = mailOf(transition)
    const { reference, email } = await startIn(from)
    const first = await update(reference, { state: to })
    const again = await update(reference, { state: to })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await mailKindsTo(holdfast, email)).toEqual(mail ? [mail] : [])
  })

  it('stores each message and includes it in its email', async () => {
    const { reference, email } = await startIn('REQUESTED')
    await update(reference, { state: 'BOOKED', message: 'See you at the gate.' })
    const { body } = await update(reference, { state: 'CANCELED', message: 'The gate is shut.' })
    expect(body.participation.messages).toEqual(['See you at the gate.', 'The gate is shut.'])
    const [booked, cancelled] = await mailsTo(holdfast, email)
    expect(booked!.text).toContain('See you at the gate.')
    expect(cancelled!.text).toContain('The gate is shut.')
    expect(cancelled!.text).not.toContain('See you at the gate.')
  })

  it('ignores a message when nothing changes', async () => {
    const { reference, email } = await startIn('BOOKED')
    const { body } = await update(reference, { state: 'BOOKED', message: 'Once more' })
    expect(body.participation.messages).toBeNull()
    expect(await mailKindsTo(holdfast, email)).toEqual([])
  })

  it('refuses to confirm in a cancelled Appointment', async () => {
    const { reference, appointment } = await startIn('REQUESTED')
    await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: appointment })
    expectRefusal(await update(reference, { state: 'BOOKED' }), 409, 'transition-not-allowed', 'state')
    expect((await update(reference, { state: 'CANCELED' })).status).toBe(200)
  })

  it('confirms a place already taken, though the Appointment is full', async () => {
    const appointment = await appointmentWith(1)
    const { reference } = await makeParticipation(holdfast.crm, practice, appointment, 'REQUESTED', {
      query: '',
    })
    expect((await update(reference, { state: 'BOOKED' })).status).toBe(200)
  })

  it('refuses to book a Customer twice in one Appointment', async () => {
    const appointment = await appointmentWith(5)
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    const held = await makeParticipation(holdfast.crm, practice, appointment, 'RESERVED', {
      customerReference,
    })
    await makeParticipation(holdfast.crm, practice, appointment, 'BOOKED', { customerReference })
    expectRefusal(
      await update(held.reference, { state: 'BOOKED' }),
      409,
      'already-participates',
      'customerReference',
    )
    expect((await statesIn(appointment)).toSorted()).toEqual(['BOOKED', 'RESERVED'])
  })

  it('returns 404 for an unknown one, one of another Provider, an expired hold and a deleted Appointment', async () => {
    expectRefusal(await update('nobody@plat', { state: 'BOOKED' }), 404, 'not-found')

    const stranger = await makePractice(holdfast.crm)
    const foreign = await startIn('REQUESTED')
    const path = `${stranger.path}/participations/${encodeURIComponent(foreign.reference)}`
    expectRefusal(await holdfast.crm.post(path, { state: 'BOOKED' }), 404, 'not-found')

    const deleted = await startIn('REQUESTED')
    await holdfast.crm.delete(`${practice.path}/appointments/withoutNotification`, {
      appointmentReference: deleted.appointment,
    })
    expectRefusal(await update(deleted.reference, { state: 'BOOKED' }), 404, 'not-found')

    const hold = await startIn('RESERVED')
    holdfast.clock.shiftMs = 180_000
    for (const state of ['BOOKED', 'CANCELED', 'RESERVED'])
      expectRefusal(await update(hold.reference, { state }), 404, 'not-found')
  })

  it.each([
    ['no state', {}, 'missing-field', 'state'],
    ['the spelling CANCELLED', { state: 'CANCELLED' }, 'invalid-field', 'state'],
    ['small letters', { state: 'booked' }, 'invalid-field', 'state'],
    ['a number', { state: 1 }, 'invalid-field', 'state'],
    ['a message that is no text', { state: 'BOOKED', message: 5 }, 'invalid-field', 'message'],
  ])('refuses %s', async (_, body, code, field) => {
    const { reference } = await startIn('REQUESTED')
    expectRefusal(await update(reference, body), 400, code, field)
  })

  it('refuses a sendMails that is neither true nor false', async () => {
    const { reference } = await startIn('REQUESTED')
    expectRefusal(
      await update(reference, { state: 'BOOKED' }, '?sendMails=perhaps'),
      400,
      'invalid-field',
      'sendMails',
    )
  })
})

describe('Create Participation', () => {
  const created: [State, string | null][] = [
    ['RESERVED', null],
    ['REQUESTED', 'requested'],
    ['BOOKED', 'booked'],
    ['CANCELED', 'cancelled'],
    ['DELETED', null],
  ]

  it.each(created)('in the state %s: 201 with the record, email %s', async (state, mail) => {
    const customer = await makeCustomer(holdfast.crm, practice, { mobile: '+49 170 1', note: 'internal' })
    const { customerReference } = customer
    const body = await participationBody({ state, customerReference, message: 'Welcome' })
    const answer = await create(body)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      'api-info': { version: '1' },
      participation: {
        reference: body.reference,
        email: customer.email,
        mobile: '+49 170 1',
        name: 'Ann Winter',
        note: null,
        attendance: null,
        state,
        messages: ['Welcome'],
        appointmentReference: body.appointmentReference,
        customerReference,
        answers: {},
        answersMissing: false,
        places: 1,
        placeNames: [],
      },
    })
    const { appointmentReference, ...inAppointment } = answer.body.participation
    expect((await findAppointment(appointmentReference))!.participations).toEqual([inAppointment])
    const mails = await mailsTo(holdfast, customer.email)
    expect(mails.map(({ kind }) => kind)).toEqual(mail ? [mail] : [])
    if (mail) expect(mails[0]!.text).toContain('Welcome')
  })

  it.each(created)('in the state %s with sendMails=false: no email', async state => {
    const body = await participationBody({ state })
    const { body: answer } = await create(body, '?sendMails=false')
    expect(answer.participation.state).toBe(state)
    expect(await mailKindsTo(holdfast, answer.participation.email)).toEqual([])
  })

  it.each(['?sendMails', '?sendMails=true', '?sendMails=1', '?sendMails=undefined', '?sendMails=null'])(
    'sends the email with %s',
    async query => {
      const { body } = await create(await participationBody(), query)
      expect(await mailKindsTo(holdfast, body.participation.email)).toEqual(['booked'])
    },
  )

  it('sends no email without an address', async () => {
    const { customerReference } = await makeCustomer(holdfast.crm, practice, { email: null })
    const { status, body } = await create(await participationBody({ customerReference }))
    expect([status, body.participation.email]).toEqual([201, null])
  })

  requires(
    { reference: 'text', appointmentReference: 'text', customerReference: 'text' },
    () => participationBody(),
    body => create(body),
  )
  allows({ message: 'text' }, () => participationBody(), create)

  it.each([undefined, null, 'CANCELLED', 'ACTIVE', 5])('refuses the state %s', async state => {
    const answer = await create(await participationBody({ state }))
    expectRefusal(answer, 400, state == null ? 'missing-field' : 'invalid-field', 'state')
  })

  it.each(['ignoreCapacity', 'onDuplicateRaise', 'sendMails'])(
    'refuses a %s that is neither true nor false',
    async flag => {
      expectRefusal(await create(await participationBody(), `?${flag}=yes`), 400, 'invalid-field', flag)
    },
  )

  it.each(['appointmentReference', 'customerReference'])('answers 404 for an unknown %s', async field => {
    expectRefusal(await create(await participationBody({ [field]: 'nobody@plat' })), 404, 'not-found', field)
  })

  it('returns 404 for the Appointment and the Customer of another Provider', async () => {
    const stranger = await makePractice(holdfast.crm)
    const { reference: appointmentReference } = await makeAppointment(holdfast.crm, stranger)
    expectRefusal(
      await create(await participationBody({ appointmentReference })),
      404,
      'not-found',
      'appointmentReference',
    )
    const { customerReference } = await makeCustomer(holdfast.crm, stranger)
    expectRefusal(
      await create(await participationBody({ customerReference })),
      404,
      'not-found',
      'customerReference',
    )
  })

  it.each(participationStates)(
    'refuses %s in a cancelled Appointment, with or without ignoreCapacity',
    async state => {
      const appointmentReference = await appointmentWith(5)
      await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference })
      for (const query of ['', '?ignoreCapacity'])
        expectRefusal(
          await create(await participationBody({ appointmentReference, state }), query),
          409,
          'appointment-cancelled',
          'appointmentReference',
        )
    },
  )

  it('refuses a second place for a Customer in one Appointment', async () => {
    const appointmentReference = await appointmentWith(5)
    const { customerReference, reference } = await makeParticipation(
      holdfast.crm,
      practice,
      appointmentReference,
      'BOOKED',
    )
    for (const state of ['BOOKED', 'REQUESTED', 'RESERVED'])
      expectRefusal(
        await create(await participationBody({ appointmentReference, customerReference, state })),
        409,
        'already-participates',
        'customerReference',
      )
    await update(reference, { state: 'CANCELED' })
    expect((await create(await participationBody({ appointmentReference, customerReference }))).status).toBe(
      201,
    )
  })
})

describe('capacity', () => {
  it.each(['RESERVED', 'REQUESTED', 'BOOKED'])('a full Appointment refuses %s with 409', async state => {
    const appointmentReference = await appointmentWith(1)
    expect((await create(await participationBody({ appointmentReference }))).status).toBe(201)
    const body = await participationBody({ appointmentReference, state })
    expectRefusal(await create(body), 409, 'capacity-exceeded')
    expect(await statesIn(appointmentReference)).toEqual(['BOOKED'])
    expect((await create(body, '?ignoreCapacity=true')).status).toBe(201)
  })

  it.each(['CANCELED', 'DELETED'])('%s takes no place', async state => {
    const appointmentReference = await appointmentWith(0)
    expect((await create(await participationBody({ appointmentReference, state }))).status).toBe(201)
    const open = await appointmentWith(1)
    await create(await participationBody({ appointmentReference: open, state }))
    expect((await create(await participationBody({ appointmentReference: open }))).status).toBe(201)
  })

  it.each(['RESERVED', 'REQUESTED', 'BOOKED'])('%s takes a place', async state => {
    const appointmentReference = await appointmentWith(1)
    await create(await participationBody({ appointmentReference, state }))
    expectRefusal(await create(await participationBody({ appointmentReference })), 409, 'capacity-exceeded')
  })

  it('of 0 is full from the start, and the default', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice, { capacity: undefined })
    const body = await participationBody({ appointmentReference: reference })
    expectRefusal(await create(body), 409, 'capacity-exceeded')
    for (const no of ['?ignoreCapacity=false', '?ignoreCapacity=0', '?ignoreCapacity=undefined'])
      expectRefusal(await create(body, no), 409, 'capacity-exceeded')
    expect((await create(body, '?ignoreCapacity')).status).toBe(201)
  })

  it.each(['CANCELED', 'DELETED'])('a place is free again when its holder is %s', async state => {
    const appointmentReference = await appointmentWith(1)
    const { reference } = await makeParticipation(holdfast.crm, practice, appointmentReference, 'BOOKED')
    await update(reference, { state })
    expect((await create(await participationBody({ appointmentReference }))).status).toBe(201)
  })

  it('includes people added beyond it', async () => {
    const appointmentReference = await appointmentWith(1)
    const made = [
      await makeParticipation(holdfast.crm, practice, appointmentReference, 'BOOKED'),
      await makeParticipation(holdfast.crm, practice, appointmentReference, 'BOOKED'),
    ]
    await update(made[0]!.reference, { state: 'CANCELED' })
    expectRefusal(await create(await participationBody({ appointmentReference })), 409, 'capacity-exceeded')
  })
})

describe('an existing reference', () => {
  it.each(moves)('%s, created again as %s: %s, then %s, email %s', async (from, to, status, then, mail) => {
    const { reference, email, appointment, customerReference } = await startIn(from)
    const body = { reference, appointmentReference: appointment, customerReference, state: to }
    const answer = await create(body)
    if (status === 200)
      expect(answer).toMatchObject({ status: 200, body: { participation: { reference, state: then } } })
    else expectRefusal(answer, status, refusals[status]!, 'state')
    expect(await statesIn(appointment)).toEqual([then])
    expect(await mailKindsTo(holdfast, email)).toEqual(mail ? [mail] : [])
  })

  it('returns 400 if requested, and changes nothing', async () => {
    const { reference, email, appointment, customerReference } = await startIn('REQUESTED')
    const body = { reference, appointmentReference: appointment, customerReference }
    for (const state of ['REQUESTED', 'BOOKED'])
      for (const flag of ['?onDuplicateRaise', '?onDuplicateRaise=true'])
        expectRefusal(await create({ ...body, state }, flag), 400, 'duplicate-reference', 'reference')
    expect(await statesIn(appointment)).toEqual(['REQUESTED'])
    expect(await mailKindsTo(holdfast, email)).toEqual([])
    expect((await create({ ...body, state: 'BOOKED' }, '?onDuplicateRaise=false')).status).toBe(200)
  })

  it('does not count twice against capacity', async () => {
    const body = await participationBody()
    expect((await create(body)).status).toBe(201)
    expect((await create(body)).status).toBe(200)
    expect(await statesIn(body.appointmentReference)).toEqual(['BOOKED'])
  })

  it('can be repeated in a cancelled Appointment', async () => {
    const body = await participationBody({ state: 'CANCELED' })
    await create(body)
    await holdfast.crm.delete(`${practice.path}/appointments`, {
      appointmentReference: body.appointmentReference,
    })
    expect((await create(body)).status).toBe(200)
  })

  it('returns 409 for another Appointment or another Customer', async () => {
    const body = await participationBody()
    await create(body)
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    const other = { appointmentReference: await appointmentWith(5) }
    for (const fields of [{ customerReference }, other])
      expectRefusal(await create({ ...body, ...fields }), 409, 'reference-exists', 'reference')
  })

  it('is free at another Provider, and after its Appointment was deleted', async () => {
    const body = await participationBody()
    await create(body)
    const stranger = await makePractice(holdfast.crm)
    const { reference: appointmentReference } = await makeAppointment(holdfast.crm, stranger)
    const { customerReference } = await makeCustomer(holdfast.crm, stranger)
    const there = { ...body, appointmentReference, customerReference }
    expect((await holdfast.crm.post(`${stranger.path}/participations`, there)).status).toBe(201)

    await holdfast.crm.delete(`${practice.path}/appointments/withoutNotification`, {
      appointmentReference: body.appointmentReference,
    })
    const repeated = await participationBody({ reference: body.reference })
    expect((await create(repeated)).status).toBe(201)
  })
})

describe('a hold', () => {
  const rowOf = async (reference: string) => {
    const rows = await holdfast.query(
      `select expires_at, extract(epoch from expires_at - created_at)::float8 as seconds
       from participation where reference = $1`,
      [reference],
    )
    return rows[0] as { expires_at: number; seconds: number }
  }

  it('lasts HOLD_SECONDS, and its place is free from that moment on', async () => {
    const appointmentReference = await appointmentWith(1)
    const hold = await participationBody({ appointmentReference, state: 'RESERVED' })
    await create(hold)
    const { expires_at, seconds } = await rowOf(hold.reference)
    expect(seconds).toBeGreaterThanOrEqual(180)
    expect(seconds).toBeLessThan(182)

    const next = await participationBody({ appointmentReference })
    holdfast.clock.shiftMs = expires_at - 20_000 - Date.now()
    expect(await statesIn(appointmentReference)).toEqual(['RESERVED'])
    expectRefusal(await create(next), 409, 'capacity-exceeded')
    holdfast.clock.shiftMs = expires_at - Date.now()
    expect(await statesIn(appointmentReference)).toEqual([])
    expect((await create(next)).status).toBe(201)
    expect(await statesIn(appointmentReference)).toEqual(['BOOKED'])
  })

  it('lasts as long as the operator has set', async () => {
    const other = await startTestService({ HOLD_SECONDS: '20' })
    try {
      const own = await makePractice(other.crm)
      const { reference } = await makeAppointment(other.crm, own)
      await makeParticipation(other.crm, own, reference, 'RESERVED')
      const shown = async () =>
        (await other.crm.get(`${own.path}/appointments`)).body[0].participations.length
      expect(await shown()).toBe(1)
      other.clock.shiftMs = 20_000
      expect(await shown()).toBe(0)
    } finally {
      await other.close()
    }
  })

  it('does not expire once it is booked', async () => {
    const { reference, appointment } = await startIn('RESERVED')
    await update(reference, { state: 'BOOKED' })
    holdfast.clock.shiftMs = 3_600_000
    expect(await statesIn(appointment)).toEqual(['BOOKED'])
  })

  it('is the same when repeated, and does not last longer', async () => {
    const body = await participationBody({ state: 'RESERVED' })
    await create(body)
    const before = await rowOf(body.reference)
    holdfast.clock.shiftMs = 60_000
    expect((await create(body)).status).toBe(200)
    expect(await rowOf(body.reference)).toEqual(before)
  })

  it('frees its reference when it expires, on this Resource and for another one', async () => {
    const body = await participationBody({ state: 'RESERVED' })
    await create(body)
    const elsewhere = await makeAppointment(holdfast.crm, practice, {
      resourceReference: (await makeResource(holdfast.crm, practice)).reference,
    })
    const other = { ...body, appointmentReference: elsewhere.reference, state: 'BOOKED' }
    expectRefusal(await create(other), 409, 'reference-exists', 'reference')
    holdfast.clock.shiftMs = 180_000
    expect((await create(other)).status).toBe(201)
    expect(await statesIn(body.appointmentReference)).toEqual([])

    const again = await participationBody({ state: 'RESERVED' })
    await create(again)
    holdfast.clock.shiftMs += 180_000
    expect((await create({ ...again, state: 'BOOKED' })).status).toBe(201)
    expect(await statesIn(again.appointmentReference)).toEqual(['BOOKED'])
  })
})

describe('a consumer’s hold', () => {
  async function heldBy() {
    const room = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, room)
    const consumer = asConsumer(overApp(holdfast.app))
    const [slot] = slotsOf(await consumer.list(room.resource))
    const held = await consumer.reserve(room.resource, holdOf(slot!))
    const { uuid, customer_uuid: placeholder_id } = held.body.participation
    const complete = () => consumer.complete(room.resource, bookingOf(slot!, { placeholder_id }))
    const list = async () => slotsOf(await consumer.list(room.resource))
    const rows = await holdfast.query('select reference from participation where uuid = $1', [uuid])
    return { reference: rows[0].reference as string, slot: slot!, complete, list }
  }
  const moving = (reference: string, state: string) => update(reference, { state })

  it('cannot be booked by the CRM, because it has no Customer', async () => {
    const { reference, complete } = await heldBy()
    expectRefusal(await moving(reference, 'BOOKED'), 409, 'transition-not-allowed', 'state')
    const rows = await holdfast.query(
      `select appointment.reference from participation join appointment on appointment.id = appointment_id
       where participation.reference = $1`,
      [reference],
    )
    const body = await participationBody({
      reference,
      appointmentReference: rows[0].reference,
      state: 'BOOKED',
    })
    expectRefusal(await create(body), 409, 'transition-not-allowed', 'state')
    expect((await complete()).status).toBe(201)
    // Once it has a Customer, it can change state like any other.
    expect((await moving(reference, 'CANCELED')).status).toBe(200)
  })

  it('is released when the CRM cancels it, and its slot is free for everyone', async () => {
    const { reference, slot, complete, list } = await heldBy()
    expect((await list())[0]!.start).not.toBe(slot.start)
    expect((await moving(reference, 'CANCELED')).status).toBe(200)
    expect(await list()).toContainEqual(
      expect.objectContaining({ start: slot.start, kind: 'models.Bookable' }),
    )
    expect((await complete()).status).toBe(201)
  })
})

describe('a consumer Appointment', () => {
  async function consumerMade(...states: State[]) {
    const { reference, uuid } = await makeAppointment(holdfast.crm, practice)
    const participations: string[] = []
    for (const state of states)
      participations.push((await makeParticipation(holdfast.crm, practice, reference, state)).reference)
    await asConsumerMade(holdfast, uuid)
    return { reference, participations }
  }
  const stateOf = async (reference: string) => (await findAppointment(reference))?.state
  /** The stored state, after the next operation has cleaned up. */
  const rowsOf = async (reference: string) => {
    const rows = await holdfast.query(
      'select state from appointment where reference = $1 and deleted_at is null',
      [reference],
    )
    return rows.map(row => row.state)
  }
  /** Any operation under the Resource's lock cleans up. */
  const touch = () => makeAppointment(holdfast.crm, practice)

  it.each([
    ['BOOKED', 'CANCELED'],
    ['REQUESTED', 'CANCELED'],
    ['BOOKED', 'DELETED'],
  ] as const)('is CANCELLED when the last one in it goes from %s to %s', async (from, to) => {
    const { reference, participations } = await consumerMade(from, 'BOOKED', 'CANCELED')
    await update(participations[1]!, { state: 'CANCELED' })
    expect(await stateOf(reference)).toBe('ACTIVE')
    await update(participations[0]!, { state: to })
    expect(await stateOf(reference)).toBe('CANCELLED')
    expect(await rowsOf(reference)).toEqual(['CANCELLED'])
  })

  it('stays while there is a live hold', async () => {
    const { reference, participations } = await consumerMade('BOOKED', 'RESERVED')
    await update(participations[0]!, { state: 'CANCELED' })
    expect(await stateOf(reference)).toBe('ACTIVE')
    holdfast.clock.shiftMs = 180_000
    expect(await stateOf(reference)).toBe('CANCELLED')
    await touch()
    expect(await rowsOf(reference)).toEqual(['CANCELLED'])
  })

  it('is deleted when its last hold expires and it never had a booking', async () => {
    const { reference } = await consumerMade('RESERVED', 'RESERVED')
    holdfast.clock.shiftMs = 180_000
    expect(await stateOf(reference)).toBeUndefined()
    expectRefusal(
      await create(await participationBody({ appointmentReference: reference })),
      404,
      'not-found',
      'appointmentReference',
    )
    expect(
      await holdfast.crm.delete(`${practice.path}/appointments`, { appointmentReference: reference }),
    ).toMatchObject({ status: 404 })
  })

  it('stays when only one of its holds expires', async () => {
    const { reference } = await consumerMade('RESERVED')
    holdfast.clock.shiftMs = 100_000
    await makeParticipation(holdfast.crm, practice, reference, 'RESERVED')
    holdfast.clock.shiftMs = 180_000
    expect(await stateOf(reference)).toBe('ACTIVE')
    await touch()
    expect(await rowsOf(reference)).toEqual(['ACTIVE'])
  })

  it('is never closed if the provider created it', async () => {
    const { reference, appointment } = await startIn('BOOKED')
    await update(reference, { state: 'CANCELED' })
    expect(await stateOf(appointment)).toBe('ACTIVE')
  })
})

it('a hold whose reference is taken over while it is confirmed is not booked', async () => {
  const { reference } = await startIn('RESERVED')
  const answer = await whileWaiting(
    holdfast,
    {
      before: rival =>
        rival.query('update participation set deleted_at = now() where reference = $1', [reference]),
    },
    () => update(reference, { state: 'BOOKED' }),
  )
  expectRefusal(answer, 404, 'not-found')
  const rows = await holdfast.query('select state from participation where reference = $1', [reference])
  expect(rows).toEqual([{ state: 'RESERVED' }])
})
