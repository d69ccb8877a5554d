// A therapist is ill: Appointments that have not begun go to colleagues who are free, and each has a result.

import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Orphan, spread } from '../../src/rules/offers/stand-ins.ts'
import {
  makeAppointment,
  makePractice,
  makeProduct,
  makeRoom,
  makeTimeslot,
  unique,
} from '../support/build.ts'
import { consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const emma = await makeRoom(holdfast.crm, practice, { internalName: 'Emma' })
const tom = await makeRoom(holdfast.crm, practice, { internalName: 'Tom' })

/** Each test has a day of its own. */
let day = '2030-01-07'
let span = { from: day, to: day }

const path = `/resources/${practice.resourceUuid}/absence`
const single = (start: string, end: string, fields = {}) => ({
  start: `${day}T${start}`,
  end: `${day}T${end}`,
  capacity: 1,
  participations: [
    { reference: unique('participation'), name: 'Ann Winter', email: 'ann@example.org', state: 'BOOKED' },
  ],
  ...fields,
})

beforeEach(async () => {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  const after = new Date(Date.parse(next) + 86_400_000).toISOString().slice(0, 10)
  day = next
  span = { from: next, to: after }
  const open = { start: `${day}T08:00`, end: `${day}T18:00` }
  for (const place of [practice, emma, tom]) await makeTimeslot(holdfast.crm, place, open)
})

// biome-ignore lint/suspicious/noExplicitAny: lines as the console reads them
type Line = any
const preview = async () => {
  const { status, body } = await consoleCall(holdfast.app, 'POST', `${path}/preview`, span)
  expect(status).toBe(200)
  return body
}
const asLine = ({ appointment, proposed }: Line, fields = {}) => ({
  appointmentUuid: appointment.uuid,
  seenStart: appointment.start,
  seenEnd: appointment.end,
  action: proposed ? 'move' : 'leave',
  resourceUuid: proposed?.uuid ?? null,
  ...fields,
})
const settle = async (lines: object[], fields = {}, sendMails = false) => {
  const body = { ...span, lines, ...fields }
  const answer = await consoleCall(holdfast.app, 'POST', `${path}?sendMails=${sendMails}`, body)
  expect(answer.status).toBe(200)
  return answer.body
}
const placeOf = async (uuid: string) =>
  (await consoleCall(holdfast.app, 'GET', `/appointments/${uuid}`)).body.entry

describe('a preview', () => {
  it('spreads what has not begun over all colleagues who are free and offer it', async () => {
    const other = await makeProduct(holdfast.crm, practice, { name: 'Other' })
    await makeRoom(holdfast.crm, practice, { internalName: 'Cannot', products: [other.reference] })
    for (const [start, end] of [
      ['08:00', '08:30'],
      ['09:00', '09:30'],
      ['10:00', '10:30'],
    ] as const)
      await makeAppointment(holdfast.crm, practice, single(start, end))
    await makeAppointment(holdfast.crm, practice, single('11:00', '11:30'))
    await makeAppointment(holdfast.crm, emma, single('09:00', '10:00'))
    for (const place of [emma, tom]) await makeAppointment(holdfast.crm, place, single('11:00', '12:00'))
    const { lines, fits, byResource } = await preview()
    expect(lines.map((one: Line) => one.standIns.map((place: Line) => place.name))).toEqual([
      ['Emma', 'Tom'],
      ['Tom'],
      ['Emma', 'Tom'],
      [],
    ])
    expect(lines[1].proposed.name).toBe('Tom')
    expect(lines[3].proposed).toBeNull()
    expect(fits).toBe(3)
    expect(byResource.map((one: Line) => one.count)).toEqual([2, 1])
  })

  it('leaves out what has begun, was cancelled or has a customer who has arrived', async () => {
    const { uuid } = await makeAppointment(holdfast.crm, practice, single('08:00', '08:30'))
    await consoleCall(holdfast.app, 'POST', `/appointments/${uuid}/cancel?sendMails=false`, {})
    const arrived = await makeAppointment(holdfast.crm, practice, single('09:00', '09:30'))
    const { people } = await placeOf(arrived.uuid)
    await consoleCall(holdfast.app, 'POST', `/participations/${people[0].uuid}/attendance`, {
      attendance: 'ATTENDED',
    })
    await makeAppointment(holdfast.crm, practice, single('10:00', '10:30'))
    const { lines } = await preview()
    expect(lines.map((one: Line) => one.appointment.start)).toEqual([`${day}T09:00:00Z`])
    const past = await consoleCall(holdfast.app, 'POST', `${path}/preview`, { from: '2020-01-07' })
    expect(past.body.lines).toEqual([])
    expect((await consoleCall(holdfast.app, 'POST', `${path}/preview`, {})).status).toBe(200)
  })

  it('places as many as can be placed, and no colleague twice at once', () => {
    const aLine = fc.record({ start: fc.nat({ max: 6 }), options: fc.subarray(['a', 'b', 'c']) })
    fc.assert(
      fc.property(fc.array(aLine, { maxLength: 6 }), seeds => {
        const orphans = seeds.map(({ start }, index): Orphan => {
          const blocked = { from: start, to: start + 1 }
          return { uuid: `${index}`, productUuid: '', start, end: start + 1, blocked }
        })
        const placed = spread(orphans, new Map(seeds.map(({ options }, index) => [`${index}`, options])))
        const taken = [...placed].map(([uuid, colleague]) => `${seeds[Number(uuid)]!.start} ${colleague}`)
        expect(new Set(taken).size).toBe(taken.length)
        for (const [uuid, colleague] of placed) expect(seeds[Number(uuid)]!.options).toContain(colleague)
        expect(placed.size).toBe(most(seeds))
      }),
    )
  })
})

type Seed = { start: number; options: string[] }

/** How many can be placed, by trying everything. */
function most([seed, ...rest]: Seed[], taken: string[] = []): number {
  if (!seed) return 0
  const free = seed.options.map(one => `${seed.start} ${one}`).filter(one => !taken.includes(one))
  return Math.max(most(rest, taken), ...free.map(one => 1 + most(rest, [...taken, one])))
}

describe('a confirmation', () => {
  it('moves, cancels and leaves as sent, blocks the time, and says what each became', async () => {
    for (const [start, end] of [
      ['08:00', '08:30'],
      ['09:00', '09:30'],
      ['10:00', '10:30'],
    ] as const)
      await makeAppointment(holdfast.crm, practice, single(start, end))
    const { lines } = await preview()
    const sent = [
      asLine(lines[0], { resourceUuid: emma.resourceUuid, start: `${day}T14:00`, end: `${day}T14:30` }),
      asLine(lines[1], { action: 'cancel' }),
      asLine(lines[2], { action: 'leave' }),
    ]
    const { results, blockUuid } = await settle(sent, { blockReason: 'Ill' })
    expect(results.map((one: Line) => one.result)).toEqual(['moved', 'cancelled', 'left'])
    expect(await placeOf(lines[0].appointment.uuid)).toMatchObject({
      start: `${day}T13:00:00Z`,
      resource: { name: 'Emma' },
    })
    expect(await placeOf(lines[1].appointment.uuid)).toMatchObject({ state: 'CANCELLED' })
    const { body } = await consoleCall(holdfast.app, 'GET', `/resources/${practice.resourceUuid}/blocks`)
    expect(body.blocks).toMatchObject([{ uuid: blockUuid, reason: 'Ill' }])
    const again = await settle(sent)
    expect(again.results.map((one: Line) => one.code)).toEqual([null, 'appointment-cancelled', null])
  })

  it('says so if a colleague was booked since, and never books over', async () => {
    for (const [start, end] of [
      ['08:00', '08:30'],
      ['09:00', '09:30'],
    ] as const)
      await makeAppointment(holdfast.crm, practice, single(start, end))
    const { lines } = await preview()
    const toEmma = lines.map((one: Line) => asLine(one, { resourceUuid: emma.resourceUuid }))
    const rival = () =>
      consoleCall(holdfast.app, 'POST', `/providers/${practice.uuid}/appointments`, {
        resourceUuid: emma.resourceUuid,
        productUuid: practice.productUuid,
        start: `${day}T08:00`,
        end: `${day}T08:30`,
      })
    const [{ results }, booked] = await Promise.all([settle(toEmma), rival()])
    expect(results[1]).toMatchObject({ result: 'moved' })
    expect([results[0].result, booked.status].sort()).toEqual(
      booked.status === 201 ? [201, 'failed'] : [409, 'moved'],
    )
    if (booked.status === 201) expect(results[0]).toMatchObject({ code: 'conflict' })
    expect((await settle(toEmma)).results.map((one: Line) => one.result)).not.toContain('left')
    const diary = await consoleCall(holdfast.app, 'GET', `/providers/${practice.uuid}/diary?from=${day}`)
    const atEmma = diary.body.entries.filter((one: Line) => one.resource.name === 'Emma')
    expect(atEmma.map((one: Line) => one.start)).toEqual([`${day}T07:00:00Z`, `${day}T08:00:00Z`])
  })

  it('changes nothing that was moved since the preview', async () => {
    const { uuid } = await makeAppointment(holdfast.crm, practice, single('08:00', '08:30'))
    const { lines } = await preview()
    const to = { start: `${day}T12:00`, end: `${day}T12:30` }
    await consoleCall(holdfast.app, 'POST', `/appointments/${uuid}/move?sendMails=false`, to)
    for (const action of ['move', 'cancel']) {
      const { results } = await settle([asLine(lines[0], { action })])
      expect(results).toMatchObject([{ result: 'failed', code: 'changed' }])
    }
    expect(await placeOf(uuid)).toMatchObject({ state: 'ACTIVE', start: `${day}T11:00:00Z` })
  })

  it('is there for integrators too, with references', async () => {
    const { reference } = await makeAppointment(holdfast.crm, practice, single('08:00', '08:30'))
    const api = `${practice.path}/resources/${encodeURIComponent(practice.resource)}/absence`
    const shown = await holdfast.crm.post(`${api}/preview`, span)
    expect(shown.status).toBe(200)
    const [line] = shown.body.absence.lines
    expect(line).toMatchObject({ appointmentReference: reference, proposed: { name: 'Emma' } })
    const sent = { appointmentReference: reference, action: 'move', seenStart: line.start, seenEnd: line.end }
    const lines = [{ ...sent, resourceReference: tom.resource }]
    const { status, body } = await holdfast.crm.post(`${api}?sendMails=false`, { ...span, lines })
    expect([status, body.results]).toMatchObject([200, [{ result: 'moved' }]])
    const twice = await holdfast.crm.post(api, { ...span, lines: [...lines, ...lines] })
    expect(twice.status).toBe(400)
  })
})
