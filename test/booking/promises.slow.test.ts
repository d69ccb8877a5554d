// A hold, booking or move that was confirmed stays, whatever other clients let expire, do at the same moment, or do on
// another instance.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tidy } from '../../src/actions/scheduling/housekeeping.ts'
import { checkInvariants } from '../../src/db/backup/invariants.ts'
import { makePractice, makeRoom, makeTimeslot, setChannel, setProduct } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, newPerson, overApp, type Slot, slotsOf } from '../support/consumer.ts'
import { useSecondInstance } from '../support/instances.ts'
import { holdToMove, moveBooking } from '../support/moves.ts'
import { type Hold, type Person, type Place, Promises, textOf } from '../support/promises.ts'
import { type Answer, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
await setProduct(holdfast, practice.productUuid, { minDuration: 30 })
const consumers = [asConsumer(overApp(holdfast.app)), asConsumer(overApp(await useSecondInstance(holdfast)))]

/** A request in flight, and what its response changes. `isPromised`: it uses a live hold for the slot that was held. */
type PendingRequest = {
  response: Promise<Answer>
  grants: (answer: Answer) => void
  uses?: Hold | null
  isPromised?: boolean
}
/** The most recent one. */
const last = -1
type Step = { verb: string; who: number; where: number; instance: number }

const verbs = ['hold', 'hold', 'exchange', 'book', 'book the hold', 'release', 'cancel', 'tidy']
const moves = ['move', 'move to the hold', 'hold to move']
const aStep = fc.record({
  verb: fc.constantFrom(...verbs, ...moves),
  who: fc.nat(3),
  where: fc.nat(3),
  instance: fc.nat(1),
})
type Group = { seconds: number; steps: Step[] }

/** One, or several at the same moment. */
const anything: fc.Arbitrary<Group[]> = fc
  .record({
    seconds: fc.constantFrom(0, 0, 100, 181),
    steps: fc.oneof(fc.tuple(aStep), fc.array(aStep, { minLength: 2, maxLength: 4 })),
  })
  .map(one => [one])

/** The hold of a stranger expires beside mine, before I use mine. */
const outliving: fc.Arbitrary<Group[]> = fc
  .tuple(
    aStep,
    fc.constantFrom(
      ...[['hold to move', 'move to the hold'] as const, ['hold to move', 'move'] as const],
      ...[['hold', 'book the hold'] as const, ['exchange', 'exchange'] as const],
    ),
  )
  .map(([step, [before, then]]) => [
    { seconds: 0, steps: [{ ...step, verb: 'hold' }] },
    { seconds: 100, steps: [{ ...step, verb: before }] },
    { seconds: 100, steps: [{ ...step, verb: then, who: then === 'book the hold' ? last : step.who }] },
  ])

/** One client takes a place at the moment when another leaves it. */
const following: fc.Arbitrary<Group[]> = fc.tuple(aStep, fc.nat(3)).map(([step, where]) => [
  { seconds: 0, steps: [{ ...step, verb: 'hold' }] },
  {
    seconds: 0,
    steps: [
      { ...step, verb: 'exchange', who: last, where },
      { ...step, verb: 'hold' },
    ],
  },
])

class Sequence {
  promises: Promises
  slots: Slot[]
  used = new Set<unknown>()

  constructor(promises: Promises, slots: Slot[]) {
    this.promises = promises
    this.slots = slots
  }

  /** Uses each person and hold once: the outcome of two concurrent requests would depend on their order. */
  once<T>(all: T[], index: number): T | null {
    const one = index === last ? all.at(-1) : all[index % all.length]
    if (one === undefined || this.used.has(one)) return null
    this.used.add(one)
    return one
  }

  start({ verb, who, where, instance }: Step): PendingRequest | null {
    const { promises } = this
    const consumer = consumers[instance]!
    const slot = this.slots[where]!
    const { resource_uuid } = slot
    const granted = (mover: Person | null, before: Hold | null) => (answer: Answer) => {
      const { customer_uuid, appointment_uuid, expiresAt } = answer.body.participation
      promises.drop(before)
      const held = { placeholder: customer_uuid, until: Date.parse(expiresAt), mover }
      promises.holds.push({ ...held, slot, appointment: appointment_uuid })
    }
    if (verb === 'tidy')
      return { response: tidy(holdfast.service).then(() => ({ status: 200 }) as Answer), grants: () => {} }
    if (verb === 'hold')
      return { response: consumer.reserve(resource_uuid, holdOf(slot)), grants: granted(null, null) }
    if (verb === 'book') return this.book(consumer, slot, null)
    if (verb === 'exchange' || verb === 'book the hold' || verb === 'release') {
      const hold = this.once(
        promises.holds.filter(one => one.mover === null),
        who,
      )
      if (!hold) return null
      const placeholder_id = hold.placeholder
      if (verb === 'book the hold') return this.book(consumer, hold.slot, hold)
      if (verb === 'release')
        return {
          response: consumer.release(resource_uuid, placeholder_id),
          grants: () => promises.drop(hold),
        }
      const response = consumer.reserve(resource_uuid, holdOf(slot, { placeholder_id }))
      return { response, grants: granted(null, hold) }
    }
    const person = this.once(promises.people, who)
    if (!person) return null
    if (verb === 'cancel')
      return { response: consumer.cancel(person.cancelLink), grants: () => this.leave(person) }
    if (verb === 'hold to move')
      return { response: holdToMove(consumer, person, slot), grants: granted(person, null) }
    const hold = verb === 'move' ? null : promises.holds.findLast(one => one.mover === person)
    return hold === undefined ? null : this.move(consumer, person, hold?.slot ?? slot, hold)
  }

  book(consumer: (typeof consumers)[number], slot: Slot, uses: Hold | null): PendingRequest {
    const person = newPerson()
    const request = bookingOf(slot, { ...person, ...(uses ? { placeholder_id: uses.placeholder } : {}) })
    const grants = ({ body }: Answer) => {
      const { appointment_uuid: appointment, state, moveLink, cancelLink } = body.createdAppointment
      this.promises.drop(uses)
      const has = { slot, appointment }
      this.promises.people.push({ email: person.email, state, moveLink, cancelLink, has, requested: null })
    }
    return { response: consumer.complete(slot.resource_uuid, request), grants, uses, isPromised: true }
  }

  move(consumer: (typeof consumers)[number], person: Person, slot: Slot, uses: Hold | null): PendingRequest {
    const fields = uses ? { placeholder_id: uses.placeholder } : {}
    const grants = ({ body }: Answer) => {
      const { appointment_uuid: appointment, state, moveLink, cancelLink } = body.createdAppointment
      this.promises.drop(uses)
      const place: Place = { slot, appointment }
      const isMoveRequest = state === 'REQUESTED' && person.state === 'BOOKED'
      if (isMoveRequest) Object.assign(person, { requested: place, links: { moveLink, cancelLink } })
      else Object.assign(person, { has: place, requested: null })
    }
    return { response: moveBooking(consumer, person, slot, fields), grants, uses, isPromised: true }
  }

  /** A pending request stays; it is then all that the person has. */
  leave(person: Person & { links?: object }) {
    const { requested, links } = person
    if (requested) Object.assign(person, { has: requested, requested: null, state: 'REQUESTED', ...links })
    else this.promises.people = this.promises.people.filter(one => one !== person)
  }

  async together(steps: Step[]) {
    this.used.clear()
    const live = this.promises.live()
    const requests = steps.flatMap(one => this.start(one) ?? [])
    const answers = await Promise.all(requests.map(one => one.response))
    for (const [index, { uses, isPromised, grants }] of requests.entries()) {
      const { status, body } = answers[index]!
      expect([200, 201, 404, 409, 412]).toContain(status)
      if (isPromised && uses && live.includes(uses)) expect([status < 300, body]).toEqual([true, body])
      if (status < 300) grants(answers[index]!)
    }
  }

  /** Only places in Appointments that still exist. */
  async places(): Promise<string[]> {
    const rows = await holdfast.query(
      `select participation.state, coalesce(email, placeholder::text) as who, start_at as start, appointment.uuid as appointment
       from participation join appointment on appointment.id = appointment_id join resource on resource.id = resource_id
       where resource.uuid = $1 and appointment.state = 'ACTIVE' and appointment.deleted_at is null
         and (participation.state in ('BOOKED', 'REQUESTED') or participation.state = 'RESERVED' and expires_at > $2)`,
      [this.slots[0]!.resource_uuid, new Date(this.promises.now())],
    )
    return rows.map(one => textOf(one.state, one.who, { slot: one, appointment: one.appointment })).sort()
  }
}

it('each person has what was promised, and lists show the rest', async () => {
  const now = () => Date.now() + holdfast.clock.shiftMs
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      fc.array(fc.oneof(anything, outliving, following), { minLength: 4, maxLength: 7 }),
      async (capacity, asksToMove, scenes) => {
        holdfast.clock.shiftMs = 0
        const room = await makeRoom(holdfast.crm, practice)
        await makeTimeslot(holdfast.crm, room, {
          end: '2030-01-07T09:15',
          raster: 15,
          defaultCapacity: capacity,
        })
        const list = async (instance: number) => slotsOf(await consumers[instance]!.list(room.resourceUuid))
        const slots = await list(0)
        const sequence = new Sequence(new Promises(capacity, now), slots)
        await sequence.together([{ verb: 'book', who: 0, where: 3, instance: 0 }])
        for (const [index, { seconds, steps }] of scenes.flat().entries()) {
          if (asksToMove && index === 4)
            await setChannel(holdfast, room.resourceUuid, { bookingProcess: 'REQUESTED' })
          holdfast.clock.shiftMs += seconds * 1000
          await sequence.together(steps)
          expect(await sequence.places()).toEqual(sequence.promises.texts())
          const shown = (await list(index % 2)).map(one => `${one.start} ${one.capacity_left}`)
          expect(shown).toEqual(sequence.promises.offered(slots))
        }
      },
    ),
    { numRuns: 20 },
  )
  expect((await checkInvariants(holdfast.service.db.pool)).filter(one => one.violations > 0)).toEqual([])
}, 60_000)
