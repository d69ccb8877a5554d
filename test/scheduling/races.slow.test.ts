// Many concurrent requests over real HTTP, at two instances of the service on one database.

import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  appointmentBody,
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeResource,
  makeRoom,
  makeSeries,
  timeslotBody,
  unique,
} from '../support/build.ts'
import { useSecondInstance } from '../support/instances.ts'
import { rowsThatMention } from '../support/leftovers.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { type Answer, consoleToken, eventually, runJobs, useService } from '../support/service.ts'

watchDeadlocks()
afterAll(() => vi.restoreAllMocks())
const holdfast = await useService()
const apps = [holdfast.app, await useSecondInstance(holdfast)]
const addresses = await Promise.all(apps.map(app => app.listen({ port: 0, host: '127.0.0.1' })))
const practice = await makePractice(holdfast.crm)

type Body = Record<string, Answer['body']>
type Reply = { status: number; body: Answer['body'] }

/** Deadlocks are retried and stay unnoticed, but each costs a second: the lock order must prevent them. */
let deadlocks = 0
function watchDeadlocks() {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const result = query.apply(this, args)
    if (result instanceof Promise)
      result.catch(error => {
        if (error.code === '40P01') deadlocks++
      })
    return result as never
  })
}

let turn = 0
async function send(method: string, path: string, body?: unknown): Promise<Reply> {
  const isConsole = path.startsWith('/console')
  const response = await fetch(
    `${addresses[turn++ % addresses.length]}${isConsole ? '' : '/crms/crm'}${path}`,
    {
      method,
      headers: {
        ...(isConsole
          ? { authorization: `Bearer ${consoleToken}` }
          : { 'x-service-client-id': holdfast.crm.key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const statuses = (replies: Reply[]) => replies.map(reply => reply.status).toSorted()
const repeat = (status: number, count: number) => Array.from({ length: count }, () => status)

const appointments = async (): Promise<Body[]> =>
  (await holdfast.crm.get(`${practice.path}/appointments`)).body
const find = async (reference: string) => (await appointments()).find(one => one.reference === reference)
const move = (reference: string, state: string) =>
  send('POST', `${practice.path}/participations/${encodeURIComponent(reference)}`, { state })

describe('the last places', () => {
  it('5 of 50 requests for 5 places succeed, and 45 are refused as full', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice, { capacity: 5 })
    const customers = await times(50, () => makeCustomer(holdfast.crm, practice))
    const replies = await times(50, index =>
      send('POST', `${practice.path}/participations`, {
        reference: unique('rival'),
        appointmentReference: reference,
        customerReference: customers[index]!.customerReference,
        state: index % 2 ? 'BOOKED' : 'REQUESTED',
      }),
    )
    expect(statuses(replies)).toEqual([...repeat(201, 5), ...repeat(409, 45)])
    for (const { status, body } of replies)
      if (status === 409) expect(body.errors[0].errorCode).toBe('capacity-exceeded')
    expect((await find(reference))!.participations).toHaveLength(5)
    const mails = await Promise.all(customers.map(({ email }) => mailKindsTo(holdfast, email)))
    expect(mails.flat()).toHaveLength(5)
  })

  it('1 of 20 requests gets the place of a hold that has just expired', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice, { capacity: 1 })
    await makeParticipation(holdfast.crm, practice, reference, 'RESERVED')
    const customers = await times(20, () => makeCustomer(holdfast.crm, practice))
    holdfast.clock.shiftMs = 180_000
    const replies = await times(20, index =>
      send('POST', `${practice.path}/participations`, {
        reference: unique('rival'),
        appointmentReference: reference,
        customerReference: customers[index]!.customerReference,
        state: 'BOOKED',
      }),
    )
    expect(statuses(replies)).toEqual([201, ...repeat(409, 19)])
    expect((await find(reference))!.participations).toMatchObject([{ state: 'BOOKED' }])
    holdfast.clock.shiftMs = 0
  })
})

it('deleting a series locks the Resource that one of it is moving to', async () => {
  const there = await makeRoom(holdfast.crm, practice)
  const { seriesId, appointments } = await makeSeries(holdfast.crm, practice)
  const rooms = [practice.resourceUuid, there.resourceUuid]
  const revision = async () => {
    const query = 'select revision::int from resource where uuid = $1'
    return (await holdfast.query(query, [there.resourceUuid]))[0].revision
  }
  const before = await revision()
  let removing: Promise<Reply> | undefined
  // An uncommitted move of one of them.
  await holdfast.service.db.transaction(async tx => {
    await tx.query(sql`update resource set revision = revision + 1 where uuid = any (${rooms}::uuid[])`)
    await tx.query(sql`
      update appointment set resource_id = (select id from resource where uuid = ${there.resourceUuid})
      where reference = ${appointments[0]!.reference}
    `)
    removing = send('DELETE', `${practice.path}/appointments/withoutNotification`, { seriesId })
    await new Promise(resolve => setTimeout(resolve, 200))
  })
  expect((await removing!).status).toBe(204)
  // Once by the move and once by the deletion, so that lists of that Resource are rebuilt.
  expect(await revision()).toBe(before + 2)
})

describe('concurrent changes to one Participation', () => {
  const requested = async () => {
    const { reference: appointment } = await makeAppointment(holdfast.crm, practice)
    const made = await makeParticipation(holdfast.crm, practice, appointment, 'REQUESTED', {
      query: '?sendMails=false',
    })
    return { ...made, appointment }
  }

  it('two confirmations: both return 200, and one email is sent', async () => {
    for (let round = 0; round < 5; round++) {
      const { reference, email } = await requested()
      const replies = await times(2, () => move(reference, 'BOOKED'))
      expect(statuses(replies)).toEqual([200, 200])
      expect(await mailKindsTo(holdfast, email)).toEqual(['booked'])
    }
  })

  it('a confirmation and a cancellation: it ends cancelled, with matching emails', async () => {
    for (let round = 0; round < 5; round++) {
      const { reference, email, appointment } = await requested()
      const [confirmed, cancelled] = await Promise.all([
        move(reference, 'BOOKED'),
        move(reference, 'CANCELED'),
      ])
      expect(cancelled.status).toBe(200)
      expect((await find(appointment))!.participations).toMatchObject([{ state: 'CANCELED' }])
      const mails = await mailKindsTo(holdfast, email)
      if (confirmed.status === 200) expect(mails).toEqual(['booked', 'cancelled'])
      else expect([confirmed.status, mails]).toEqual([409, ['declined']])
    }
  })

  it("a confirmation during the Appointment's cancellation: no one stays in it", async () => {
    for (let round = 0; round < 5; round++) {
      const { reference, email, appointment } = await requested()
      const [confirmed, cancelled] = await Promise.all([
        move(reference, 'BOOKED'),
        send('DELETE', `${practice.path}/appointments`, { appointmentReference: appointment }),
      ])
      expect(cancelled.status).toBe(200)
      expect(await find(appointment)).toMatchObject({
        state: 'CANCELLED',
        participations: [{ state: 'CANCELED' }],
      })
      const mails = await mailKindsTo(holdfast, email)
      if (confirmed.status === 200) expect(mails).toEqual(['booked', 'cancelled'])
      else expect([confirmed.status, mails]).toEqual([409, ['cancelled']])
    }
  })

  it('several cancellations of the Appointment: all return 200, with one email per participant', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const { email } = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED')
    const replies = await times(8, () =>
      send('DELETE', `${practice.path}/appointments`, { appointmentReference: reference }),
    )
    expect(statuses(replies)).toEqual(repeat(200, 8))
    expect(await mailKindsTo(holdfast, email)).toEqual(['booked', 'cancelled'])
  })
})

describe('concurrent requests with one reference', () => {
  const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
  const customerBody = () => ({
    customerReference: unique('customer'),
    providerReference: practice.reference,
    userName: 'Ann Winter',
  })
  const participationBody = async () => ({
    reference: unique('participation'),
    appointmentReference: (await makeAppointment(holdfast.crm, practice, { capacity: 1 })).reference,
    customerReference: (await makeCustomer(holdfast.crm, practice)).customerReference,
    state: 'BOOKED',
  })

  it.each([
    ['Timeslots', 'timeslots', async () => ({ timeslots: [timeslotBody(practice), timeslotBody(practice)] })],
    [
      'Timeslots without start',
      'timeslots',
      async () => ({ timeslots: [timeslotBody(practice, { start: null, end: tomorrow() })] }),
    ],
    ['Appointments', 'appointments', async () => appointmentBody(practice)],
    ['Participations', 'participations', participationBody],
    ['Customers', 'customers', async () => customerBody()],
  ])('%s: one is created, and all responses are the same', async (_, path, makeBody) => {
    const body = await makeBody()
    const replies = await times(20, () => send('POST', `${practice.path}/${path}`, body))
    expect(statuses(replies)).toEqual([...repeat(200, 19), 201])
    for (const reply of replies) expect(reply.body).toEqual(replies[0]!.body)
  })

  it('send one email for a Participation sent 20 times', async () => {
    const body = await participationBody()
    const replies = await times(20, () => send('POST', `${practice.path}/participations`, body))
    expect(await mailKindsTo(holdfast, replies[0]!.body.participation.email)).toEqual(['booked'])
  })

  it.each([
    ['Timeslots', 'timeslots', (fields: Body) => ({ timeslots: [timeslotBody(practice, fields)] })],
    ['Appointments', 'appointments', (fields: Body) => appointmentBody(practice, fields)],
  ])('%s on different Resources: one succeeds, the others return 409', async (_, path, bodyWith) => {
    const reference = unique('wanted')
    const resources = await times(6, () => makeResource(holdfast.crm, practice))
    const replies = await times(12, index =>
      send(
        'POST',
        `${practice.path}/${path}`,
        bodyWith({ reference, resourceReference: resources[index % 6]!.reference }),
      ),
    )
    const [made] = replies.filter(reply => reply.status === 201)
    expect(made).toBeDefined()
    // Its duplicate on the same Resource is a repetition.
    expect(statuses(replies)).toEqual([200, 201, ...repeat(409, 10)])
  })

  it('create, erase and rename a Customer without errors, and leave at most one', async () => {
    const body = customerBody()
    const path = `${practice.path}/customers`
    const one = `${path}/${encodeURIComponent(body.customerReference)}`
    const replies = await times(60, index => {
      if (index % 3 === 0) return send('POST', path, body)
      if (index % 3 === 1) return send('DELETE', one)
      return send('PUT', one, { customerReference: unique('renamed') })
    })
    for (const { status } of replies) expect([200, 201, 204, 404]).toContain(status)
  })
})

describe('joining during an erasure', () => {
  it('leaves no personal data, in either order', async () => {
    const rounds = 12
    const joined = await times(rounds, async round => {
      const { customerReference } = await makeCustomer(holdfast.crm, practice, {
        userName: 'Zora Fleeting',
        email: `zora.fleeting.${round}@post.example`,
        mobile: '+49 171 5550100',
      })
      const resources = await times(2, () => makeResource(holdfast.crm, practice))
      const made = await times(4, index =>
        makeAppointment(holdfast.crm, practice, {
          start: '2090-01-06T10:00',
          end: '2090-01-06T11:00',
          resourceReference: resources[index % 2]!.reference,
        }),
      )
      const join = (index: number) =>
        send('POST', `${practice.path}/participations`, {
          reference: unique('zora'),
          appointmentReference: made[index]!.reference,
          customerReference,
          state: 'BOOKED',
          message: 'from Zora Fleeting',
        })
      const erase = () =>
        send(
          'DELETE',
          `${practice.path}/customers/${encodeURIComponent(customerReference)}?ignoreFutureAppointments`,
        )
      const first = await join(0)
      const [erased, ...others] = await Promise.all([
        erase(),
        join(1),
        join(2),
        send('DELETE', `${practice.path}/appointments`, { appointmentReference: made[0]!.reference }),
        join(3),
      ])
      expect([first.status, erased.status]).toEqual([201, 204])
      for (const { status } of others) expect([200, 201, 404]).toContain(status)
      return others.filter(({ status }) => status === 201).length
    })
    expect(joined).toHaveLength(rounds)
    const worker = runJobs(holdfast)
    await eventually(async () => (await rowsThatMention(holdfast, ['fleeting', '5550100'])).length === 0)
    await worker.stop()
  })
})

describe('all operations at once', () => {
  it('cause no server error', async () => {
    const resources = await times(3, () => makeResource(holdfast.crm, practice))
    const customers = await times(10, () => makeCustomer(holdfast.crm, practice))
    const made = await times(12, index =>
      makeAppointment(holdfast.crm, practice, { resourceReference: resources[index % 3]!.reference }),
    )
    const of = <T>(list: T[], index: number) => list[index % list.length]!
    const encoded = (text: string) => encodeURIComponent(text)
    const work: ((index: number) => Promise<Reply>)[] = [
      index =>
        send('POST', `${practice.path}/participations`, {
          reference: unique('storm'),
          appointmentReference: of(made, index * 7).reference,
          customerReference: of(customers, index).customerReference,
          state: of(['BOOKED', 'REQUESTED', 'RESERVED'], index),
        }),
      index =>
        send('DELETE', `${practice.path}/appointments`, { appointmentReference: of(made, index).reference }),
      index =>
        send('DELETE', `${practice.path}/appointments/withoutNotification`, {
          appointmentReference: of(made, index * 5).reference,
        }),
      index =>
        send(
          'DELETE',
          `${practice.path}/customers/${encoded(of(customers, index * 3).customerReference)}?ignoreFutureAppointments`,
        ),
      index =>
        send('PUT', `${practice.path}/customers/${encoded(of(customers, index).customerReference)}`, {
          userName: `Ann ${index}`,
        }),
      index =>
        send('PATCH', `/console/api/products/${practice.productUuid}`, { leadTimeMinutes: index % 60 }),
      index => send('PATCH', `/console/api/providers/${practice.uuid}`, { description: `${index}` }),
      index =>
        send(
          'POST',
          `${practice.path}/appointments`,
          appointmentBody(practice, { resourceReference: of(resources, index).reference }),
        ),
      index =>
        send('POST', `${practice.path}/timeslots`, {
          timeslots: resources
            .toSorted(() => (index % 2 ? 1 : -1))
            .map(({ reference }) => timeslotBody(practice, { resourceReference: reference })),
        }),
      index =>
        send('POST', `${practice.path}/products`, { reference: practice.product, name: `Talk ${index}` }),
      index =>
        index < 150
          ? send('GET', `${practice.path}/appointments`)
          : send(
              'DELETE',
              `${practice.path}/resources/${encoded(of(resources, index).reference)}?ignoreFutureAppointments`,
            ),
    ]
    const replies = await times(220, index => of(work, index)(index))
    const unexpected = replies.filter(({ status }) => status >= 500)
    expect(unexpected).toEqual([])
  })

  it('none of the races caused a deadlock', () => {
    expect(deadlocks).toBe(0)
  })
})
