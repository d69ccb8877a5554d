import { beforeEach, describe, expect, it } from 'vitest'
import { tidy } from '../../src/actions/scheduling/housekeeping.ts'
import {
  eventCount,
  makeAppointment,
  makeCustomer,
  makeParticipation,
  makePractice,
  makeRoom,
  makeTimeslot,
  unique,
} from '../support/build.ts'
import { asConsumer, bookingOf, newPerson, overApp, slotsOf } from '../support/consumer.ts'
import { rowsThatMention } from '../support/leftovers.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, consoleCall, eventually, useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const consumer = asConsumer(overApp(holdfast.app))
beforeEach(() => {
  holdfast.clock.shiftMs = 0
})

const pathOf = (reference: string) => `${practice.path}/customers/${encodeURIComponent(reference)}`
const get = (reference: string) => holdfast.crm.get(pathOf(reference))
const merge = (kept: string, customerReference: string, fields: object = {}, query = '') =>
  holdfast.crm.post(`${pathOf(kept)}/merge${query}`, { customerReference, ...fields })
const undo = (kept: string, { body }: Answer) =>
  holdfast.crm.post(`${pathOf(kept)}/merges/${body.merge.uuid}/undo`, {})
const person = async (fields: Record<string, unknown> = {}) =>
  (await makeCustomer(holdfast.crm, practice, fields)).customerReference
const uuidOf = async (reference: string) => (await get(reference)).body.customer.uuid as string

async function book(customerReference: string, appointment?: string): Promise<string> {
  const reference = appointment ?? (await makeAppointment(holdfast.crm, practice)).reference
  const made = await makeParticipation(holdfast.crm, practice, reference, 'BOOKED', { customerReference })
  return made.reference
}

/** The Customer of each Participation. */
async function ownersOf(...participations: string[]): Promise<(string | undefined)[]> {
  const { body } = await holdfast.crm.get(`${practice.path}/appointments?includeArchived=true`)
  const all = body.flatMap((one: { participations: unknown[] }) => one.participations) as {
    reference: string
    customerReference: string
  }[]
  return participations.map(name => all.find(one => one.reference === name)?.customerReference)
}

/** Once the log shows all of them. */
async function lastEvents(count: number) {
  const events = await eventually(async () => {
    const { body } = await holdfast.crm.get('/events?limit=500')
    return body.events.length === (await eventCount(holdfast)) ? body.events : null
  })
  return events.slice(-count) as { kind: string; data: Record<string, unknown> }[]
}

describe('merging Customers', () => {
  it('moves bookings and waiting list entries, fills blanks and says so in events', async () => {
    const kept = await person({ email: null, note: 'By the window', userName: 'Ann Winter' })
    const other = await person({ mobile: '+49 171 1234567', note: 'Tea', userName: 'Anne Winter' })
    const [keptUuid, otherUuid, { email }] = [
      await uuidOf(kept),
      await uuidOf(other),
      (await get(other)).body.customer,
    ]
    const own = await book(kept)
    const place = await book(other)
    const entry = await holdfast.crm.post(`${practice.path}/waiting_list`, {
      customerReference: other,
      productReference: practice.product,
      from: '2030-01-07',
      to: '2030-01-11',
    })
    expect(entry.status).toBe(201)
    const dry = await merge(kept, other, {}, '?dryRun=true')
    expect(dry.body.merge).toMatchObject({ participations: 1, waitingEntries: 1 })
    expect((await get(other)).status).toBe(200)

    const done = await merge(kept, other)
    expect(done).toMatchObject({
      status: 200,
      body: {
        customer: {
          customerReference: kept,
          uuid: keptUuid,
          userName: 'Ann Winter',
          email,
          mobile: '+49 171 1234567',
          note: 'By the window\nTea',
        },
        merge: {
          formerReference: other,
          formerUuid: otherUuid,
          formerName: 'Anne Winter',
          participations: 1,
        },
      },
    })
    expect(await ownersOf(own, place)).toEqual([kept, kept])
    expect(
      (await holdfast.crm.get(`${practice.path}/waiting_list/${entry.body.entry.uuid}`)).body.entry,
    ).toMatchObject({
      customerReference: kept,
    })
    const events = await lastEvents(4)
    expect(events.map(one => one.kind)).toEqual([
      'customer.merged',
      'customer.changed',
      'appointment.changed',
      'waiting.changed',
    ])
    expect(events[0]!.data).toMatchObject({
      reference: kept,
      uuid: keptUuid,
      mergedUuid: otherUuid,
      formerReference: other,
    })
  })

  it('sends emails about earlier bookings to the address that was chosen', async () => {
    const [one, two] = [`old.${unique('mail')}.example`, `new.${unique('mail')}.example`]
    const [kept, other] = [await person({ email: one }), await person({ email: two })]
    const { body } = await merge(kept, other, { email: two })
    expect(body.customer.email).toBe(two)
    const rows = await holdfast.query('select former_emails from customer where reference = $1', [kept])
    expect(rows[0].former_emails).toEqual([one])
  })

  it('the former reference leads to the Customer who is left', async () => {
    const [first, second, third] = [await person(), await person(), await person()]
    await merge(second, first)
    await merge(third, second)
    for (const former of [first, second]) {
      for (const asked of [
        await get(former),
        await holdfast.crm.put(pathOf(former), { note: 'x' }),
        await holdfast.crm.delete(pathOf(former)),
      ]) {
        expect(asked.status).toBe(410)
        expect(asked.body.errors[0]).toMatchObject({ errorCode: 'customer-merged', reference: third })
      }
      // Bookings for it are bookings of that Customer, and a nightly sync does not bring it back.
      expect(await ownersOf(await book(former))).toEqual([third])
      const again = await holdfast.crm.post(`${practice.path}/customers`, {
        customerReference: former,
        providerReference: practice.reference,
        userName: 'Ann',
      })
      expect(again).toMatchObject({ status: 200, body: { customer: { customerReference: third } } })
    }
    expect((await merge(third, first)).status).toBe(410)
  })

  it('a person who books again is the Customer who is left', async () => {
    const room = await makeRoom(holdfast.crm, practice)
    await makeTimeslot(holdfast.crm, room)
    const who = newPerson()
    const bookOnline = async () => {
      const [slot] = slotsOf(await consumer.list(room.resource))
      const { body } = await consumer.complete(room.resource, bookingOf(slot!, who))
      const read = await holdfast.crm.get(
        `${practice.path}/appointments?resourceRef=${encodeURIComponent(room.resource)}`,
      )
      const found = read.body.find(
        (one: { uuid: string }) => one.uuid === body.createdAppointment.appointment_uuid,
      )
      return found.participations[0].customerReference as string
    }
    const visitor = await bookOnline()
    const { email } = who
    // Linked to another person, so the visitor's own link cannot move there.
    Object.assign(who, newPerson())
    const kept = await bookOnline()
    await merge(kept, visitor)
    who.email = email
    expect(await bookOnline()).toBe(kept)
  })

  it('refuses two who have a place in the same Appointment, or wait for the same', async () => {
    const [one, other] = [await person(), await person()]
    const { reference } = await makeAppointment(holdfast.crm, practice)
    const place = await book(one, reference)
    await book(other, reference)
    expectRefusal(await merge(one, other), 409, 'merge-conflict', 'appointments')
    await holdfast.crm.post(`${practice.path}/participations/${encodeURIComponent(place)}`, {
      state: 'CANCELED',
    })
    expect((await merge(one, other)).status).toBe(200)

    const waiting = waitingAt(holdfast, practice)
    const room = await waiting.room()
    const [first, second] = [await waiting.wait(room), await waiting.wait(room)]
    expectRefusal(await merge(first.customer, second.customer), 409, 'merge-conflict', 'waitingList')
  })

  it('refuses itself, strangers, notes that are too long together, and a stale If-Match', async () => {
    const [one, other] = [await person({ note: 'a'.repeat(1000) }), await person({ note: 'b'.repeat(1000) })]
    expectRefusal(await merge(one, one), 400, 'invalid-field', 'customerReference')
    expectRefusal(await merge(one, 'missing@plat'), 404, 'not-found')
    expectRefusal(await merge(one, other), 400, 'invalid-field', 'note')
    const stale = { headers: { 'if-match': '"old"' } }
    const refused = await holdfast.crm.post(
      `${pathOf(one)}/merge`,
      { customerReference: other, note: 'c' },
      stale,
    )
    expectRefusal(refused, 412, 'precondition-failed', 'If-Match')
    expect((await merge(one, other, { note: 'c', userName: 'Ann' })).body.customer).toMatchObject({
      note: 'c',
      userName: 'Ann',
    })
  })
})

describe('undoing a merge', () => {
  it('returns what moved, and leaves what was booked or changed since', async () => {
    const kept = await person({ email: null, note: 'One' })
    const other = await person({ note: 'Two', mobile: '+49 171 7654321' })
    const [mine, theirs] = [await book(kept), await book(other)]
    const before = [(await get(kept)).body.customer, (await get(other)).body.customer]
    const merged = await merge(kept, other)
    await holdfast.crm.put(pathOf(kept), { note: 'Three' })
    const later = await book(other)
    const list = (await holdfast.crm.get(`${pathOf(kept)}/merges`)).body
    expect(list).toEqual([merged.body.merge])

    const { status, body } = await undo(kept, merged)
    expect(status).toBe(200)
    expect(body.restored).toEqual(before[1])
    expect(body.customer).toEqual({ ...before[0], note: 'Three' })
    expect(await ownersOf(mine, theirs, later)).toEqual([kept, other, kept])
    expect((await lastEvents(3))[0]).toMatchObject({
      kind: 'customer.unmerged',
      data: { uuid: before[1].uuid, reference: other, separatedFrom: before[0].uuid },
    })
    expectRefusal(await undo(kept, merged), 404, 'not-found')
  })

  it('works in the reverse order of a chain, and brings former references along', async () => {
    const [first, second, third] = [await person(), await person(), await person()]
    const place = await book(first)
    const one = await merge(second, first)
    const two = await merge(third, second)
    expect((await undo(second, one)).status).toBe(410)
    expect((await undo(third, two)).status).toBe(200)
    expect((await get(first)).body.errors[0].reference).toBe(second)
    expect(await ownersOf(place)).toEqual([second])
    expect((await undo(second, one)).status).toBe(200)
    expect(await ownersOf(place)).toEqual([first])
  })

  it('ends after 30 days, and nothing personal is kept for it', async () => {
    const [kept, other] = [await person(), await person({ userName: 'Zacharias Lang' })]
    const merged = await merge(kept, other)
    holdfast.clock.shiftMs = 31 * 86_400_000
    expectRefusal(await undo(kept, merged), 410, 'undo-expired')
    expect((await holdfast.crm.get(`${pathOf(kept)}/merges`)).body).toEqual([])
    await tidy(holdfast.service)
    expect(await rowsThatMention(holdfast, ['Zacharias Lang'])).toEqual([])
    expect((await get(other)).status).toBe(410)
  })

  it('ends with the erasure of the Customer, and nothing of either is left', async () => {
    const word = unique('secret').replace('@plat', '')
    const [kept, other] = [await person(), await person({ userName: word, email: `${word}@example.org` })]
    await book(other)
    const merged = await merge(kept, other)
    expect((await holdfast.crm.delete(`${pathOf(kept)}?ignoreFutureAppointments`)).status).toBe(204)
    expect((await undo(kept, merged)).status).toBe(404)
    const rows = await rowsThatMention(holdfast, [word])
    // The last email, and answers stored for the request.
    expect(rows.filter(row => !/^public\.(mail|kept_answer)/.test(row))).toEqual([])
  })

  it('is possible in the console', async () => {
    const [kept, other] = [await person(), await person()]
    const [uuid, otherUuid] = [await uuidOf(kept), await uuidOf(other)]
    const path = `/customers/${uuid}`
    const preview = await consoleCall(holdfast.app, 'POST', `${path}/merge?dryRun=true`, { other: otherUuid })
    expect(preview.status).toBe(200)
    expect((await consoleCall(holdfast.app, 'POST', `${path}/merge`, { other: otherUuid })).status).toBe(200)
    const { body } = await consoleCall(holdfast.app, 'GET', `${path}/merges`)
    expect(body.merges).toHaveLength(1)
    const undone = await consoleCall(holdfast.app, 'POST', `${path}/merges/${body.merges[0].uuid}/undo`)
    expect(undone.body.restored.uuid).toBe(otherUuid)
  })
})

describe('at the same moment', () => {
  it('crossing merges: one wins, and all bookings are that Customer’s', async () => {
    const [one, other] = [await person(), await person()]
    const places = [await book(one), await book(other)]
    const answers = await Promise.all([
      merge(one, other),
      merge(other, one),
      merge(one, other),
      merge(other, one),
    ])
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 410, 410, 410])
    const winner = answers.find(answer => answer.status === 200)!.body.customer.customerReference
    expect(await ownersOf(...places)).toEqual([winner, winner])
  })

  it('bookings, renaming and erasing during a merge leave no booking without its Customer', async () => {
    for (let round = 0; round < 3; round++) {
      const [kept, other] = [await person(), await person()]
      const group = await makeAppointment(holdfast.crm, await makeRoom(holdfast.crm, practice))
      const erased = round === 2 ? [kept, other][round % 2]! : null
      const [merged, booked, done] = await Promise.all([
        merge(kept, other),
        holdfast.crm.post(`${practice.path}/participations`, {
          reference: unique('race'),
          appointmentReference: group.reference,
          customerReference: other,
          state: 'BOOKED',
        }),
        erased
          ? holdfast.crm.delete(`${pathOf(erased)}?ignoreFutureAppointments`)
          : holdfast.crm.put(pathOf(kept), { note: 'changed' }),
      ])
      for (const answer of [merged, booked, done]) expect(answer.status).toBeLessThan(500)
      const rows = await holdfast.query(
        `select participation.id from participation join customer on customer.id = customer_id
         where customer.reference like 'merged-%' or (erased_at is not null and participation.state = 'BOOKED')`,
      )
      expect(rows).toEqual([])
    }
  })
})
