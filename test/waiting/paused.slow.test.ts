import { afterEach, beforeEach, expect, it } from 'vitest'
import { pauseOutgoing, resumeOutgoing } from '../../src/db/base/outgoing-pause.ts'
import { makePractice, makeTimeslot } from '../support/build.ts'
import { mailKindsTo } from '../support/mailbox.ts'
import { useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

const holdfast = await useService()
const { db } = holdfast.service
const practice = await makePractice(holdfast.crm, { language: 'en' })
const { room, wait, bookAll, consumer, job, entry, offers } = waitingAt(holdfast, practice)
const day = 24 * 3_600_000

beforeEach(() => {
  holdfast.clock.shiftMs = 0
})
afterEach(() => resumeOutgoing(db))

it('time that opens while emails are paused is offered once they are sent again', async () => {
  const where = await room()
  await bookAll(where)
  const ann = await wait(where)
  await pauseOutgoing(db, 'test')
  await makeTimeslot(holdfast.crm, where, { start: '2030-01-08T08:00', end: '2030-01-08T09:00' })
  await job()
  expect(await offers(ann.uuid)).toEqual([])
  expect(await mailKindsTo(holdfast, ann.email)).toEqual([])
  await resumeOutgoing(db)
  await job()
  expect(await offers(ann.uuid)).toEqual([['2030-01-08T07:00:00Z', 'OPEN']])
})

it('an offer whose email was not sent is not unanswered, and goes to no one else meanwhile', async () => {
  const where = await room()
  const booked = await bookAll(where)
  const ann = await wait(where)
  const ben = await wait(where)
  await pauseOutgoing(db, 'test')
  await consumer.cancel(booked[0]!.cancelLink)
  expect((await entry(ann.uuid)).state).toBe('OFFERED')
  holdfast.clock.shiftMs = day
  await job()
  expect((await offers(ann.uuid)).map(one => one[1])).toEqual(['WITHDRAWN'])
  const [{ unanswered }] = (await holdfast.query('select unanswered from waiting_entry where uuid = $1', [
    ann.uuid,
  ])) as [{ unanswered: number }]
  expect([unanswered, (await entry(ann.uuid)).state]).toEqual([0, 'WAITING'])
  expect(await mailKindsTo(holdfast, ben.email)).toEqual([])
  await resumeOutgoing(db)
  await job()
  expect(await offers(ben.uuid)).toEqual([['2030-01-07T07:00:00Z', 'OPEN']])
})
