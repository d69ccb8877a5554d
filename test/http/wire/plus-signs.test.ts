// In a query a plus sign means a space. A start copied from a response (+02:00) without encoding still works.

import { expect, it } from 'vitest'
import { makePractice, makeTimeslot } from '../../support/build.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { call, useService } from '../../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
await makeTimeslot(holdfast.crm, practice, { start: '2030-07-01T08:00', end: '2030-07-01T10:00' })

const slots = (query: string) =>
  call(
    holdfast.app,
    'GET',
    `/resources/${practice.resourceUuid}/upcoming_bookables?groupFormat=yyyy&${query}`,
  )

it.each(['+02:00', '%2B02:00', '+0200', '+02', ':00.000+02:00'])('offsets of slots: %s', async offset => {
  const { status, body } = await slots(`from=2030-07-01T09:00${offset}`)
  expect([status, body['2030'].length]).toEqual([200, 2])
})

it('accepts unencoded plus signs in offsets of periods and changes', async () => {
  const period = 'from=2030-07-01T00:00+02:00&to=2030-07-02T00:00+02:00'
  const { body } = await holdfast.crm.get(
    `${practice.path}/resource/${practice.resource}/timeslots?${period}`,
  )
  expect(body).toHaveLength(1)
  const changed = await holdfast.crm.get(
    `${practice.path}/appointments?changedSince=2030-07-01T00:00:00+02:00`,
  )
  expect([changed.status, changed.body]).toEqual([200, []])
})

it('leaves other spaces unchanged', async () => {
  for (const from of ['2030-07-01+09:00', '2030-07-01T09:00+Z', '+2030-07-01'])
    expectRefusal(await slots(`from=${from}`), 400, 'invalid-field', 'from')
})
