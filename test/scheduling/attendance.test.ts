// Attendance as recorded by the CRM and by staff. It is independent of the state.

import { describe, expect, it } from 'vitest'
import { makeAppointment, makeParticipation, makePractice } from '../support/build.ts'
import { countMails } from '../support/mailbox.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)

const path = (reference: string) => `${practice.path}/participations/${encodeURIComponent(reference)}`
const say = (reference: string, attendance: unknown) =>
  holdfast.crm.post(`${path(reference)}/attendance`, { attendance })

async function participant(state = 'BOOKED') {
  const { reference: appointment } = await makeAppointment(holdfast.crm, practice)
  return { ...(await makeParticipation(holdfast.crm, practice, appointment, state)), appointment }
}

async function kindsAbout(reference: string): Promise<string[]> {
  const { body } = await holdfast.crm.get(`/events?limit=500`)
  const isAbout = ({ data }: Answer['body']) =>
    data.reference === reference || data.appointment?.participations[0]?.reference === reference
  return body.events.filter(isAbout).map((event: Answer['body']) => event.kind)
}

describe('attendance recorded by the CRM', () => {
  it.each(['ATTENDED', 'MISSED'])(
    '%s: is shown in every record, causes one event and no email',
    async said => {
      const { reference, appointment } = await participant()
      const mails = await countMails(holdfast)
      for (const _ of [1, 2]) {
        const { status, body } = await say(reference, said)
        expect([status, body.participation.attendance, body.participation.state]).toEqual([
          200,
          said,
          'BOOKED',
        ])
      }
      expect((await holdfast.crm.get(path(reference))).body.participation.attendance).toBe(said)
      const { body: list } = await holdfast.crm.get(`${practice.path}/appointments`)
      const listed = list.find((one: Answer['body']) => one.reference === appointment)
      expect(listed.participations[0].attendance).toBe(said)
      const kind = `participation.${said.toLowerCase()}`
      expect((await kindsAbout(reference)).filter(one => one === kind)).toHaveLength(1)
      expect(await countMails(holdfast)).toBe(mails)
    },
  )

  it('can be cleared', async () => {
    const { reference } = await participant()
    await say(reference, 'MISSED')
    expect((await say(reference, null)).body.participation.attendance).toBeNull()
    expect((await kindsAbout(reference)).at(-1)).toBe('appointment.changed')
  })

  it.each(['REQUESTED', 'CANCELED', 'DELETED'])('is refused for a Participation that is %s', async state => {
    const { reference } = await participant(state)
    expectRefusal(await say(reference, 'ATTENDED'), 409, 'transition-not-allowed', 'attendance')
  })

  it('accepts only two values, and only for a booked person', async () => {
    const { reference } = await participant()
    expectRefusal(await say(reference, 'LATE'), 400, 'invalid-field', 'attendance')
    expectRefusal(await say(reference, undefined), 400, 'missing-field', 'attendance')
    expectRefusal(await say('nobody@plat', 'MISSED'), 404, 'not-found')
  })
})

it("staff record attendance in the console, which shows it in the diary and in the Customer's history", async () => {
  const { reference, customerReference } = await participant()
  const diary = async () => {
    const { body } = await consoleCall(
      holdfast.app,
      'GET',
      `/providers/${practice.uuid}/diary?from=2030-01-07`,
    )
    const people = body.entries.flatMap((entry: Answer['body']) => entry.people)
    return people.find((one: Answer['body']) => one.reference === reference)
  }
  const { uuid, customer, attendance } = await diary()
  expect([attendance, customer.reference]).toEqual([null, customerReference])
  const said = await consoleCall(holdfast.app, 'POST', `/participations/${uuid}/attendance`, {
    attendance: 'MISSED',
  })
  expect([said.status, said.body]).toEqual([200, { uuid, attendance: 'MISSED' }])
  expect((await diary()).attendance).toBe('MISSED')
  const { body } = await consoleCall(holdfast.app, 'GET', `/customers/${customer.uuid}`)
  expect(body.history.map((line: Answer['body']) => line.attendance)).toEqual(['MISSED'])
})

it('a concurrent cancellation: the second request is refused', async () => {
  const { reference } = await participant()
  const [said, cancelled] = await Promise.all([
    say(reference, 'ATTENDED'),
    holdfast.crm.post(path(reference), { state: 'CANCELED' }),
  ])
  expect(cancelled.status).toBe(200)
  expect([200, 409]).toContain(said.status)
  const { participation } = (await holdfast.crm.get(path(reference))).body
  expect([participation.state, participation.attendance]).toEqual([
    'CANCELED',
    said.status === 200 ? 'ATTENDED' : null,
  ])
})
