import { expect, it } from 'vitest'
import { makePractice, type Practice } from '../support/build.ts'
import { form, slotsOf } from '../support/consumer.ts'
import { mailsTo } from '../support/mailbox.ts'
import { moveBooking } from '../support/moves.ts'
import { consoleCall, useService } from '../support/service.ts'
import { waitingAt } from '../support/waiting.ts'

// What staff book for one person ends with that person's booking: the time is offered again.

const holdfast = await useService()
const practice = await makePractice(holdfast.crm, { language: 'en' })
const { room, wait, offers, free, consumer, linkIn } = waitingAt(holdfast, practice)

const day = '2030-01-07'
const nine = { start: `${day}T09:00`, end: `${day}T10:00` }
const times = { start: `${day}T08:00`, end: `${day}T10:00`, raster: 60 }
const hours = async (where: Practice) => (await free(where)).sort()

async function desk(path: string, body: object) {
  const answer = await consoleCall(holdfast.app, 'POST', `/providers/${practice.uuid}${path}`, body)
  expect(answer.status, answer.text).toBe(201)
}

async function bookedAtDesk(fields: object = {}) {
  const where = await room(times)
  const email = `${crypto.randomUUID()}@example.org`
  const customer = { name: 'Ann Winter', email }
  const place = { resourceUuid: where.resourceUuid, productUuid: practice.productUuid }
  await desk('/appointments', { ...place, ...nine, customer, ...fields })
  expect(await hours(where)).toEqual(['08:00'])
  const [mail] = (await mailsTo(holdfast, email)).filter(one => one.kind === 'booked')
  const link = (what: string) => linkIn(mail!.text, what)
  return { where, email, cancel: () => consumer.send('POST', link('cancel'), '', { headers: form }), link }
}

const statesIn = async (where: Practice) => {
  const rows = await holdfast.query(
    `select appointment.state from appointment join resource on resource.id = resource_id
     where resource.uuid = $1 order by start_at`,
    [where.resourceUuid],
  )
  return rows.map(row => row.state)
}

it('is free again once the person cancels, and offered to who waits', async () => {
  const { where, cancel } = await bookedAtDesk()
  const ben = await wait(where, { timeFrom: '09:00' })
  expect((await cancel()).status).toBe(200)
  expect((await offers(ben.uuid)).map(offer => offer[1])).toEqual(['OPEN'])
  expect(await statesIn(where)).toContain('CANCELLED')
})

it('is free again once the person has moved away', async () => {
  const { where, link } = await bookedAtDesk()
  const [early] = slotsOf(await consumer.list(where.resource))
  const moveLink = `${holdfast.service.baseUrl}${link('move')}`
  expect((await moveBooking(consumer, { moveLink }, early!)).status).toBe(200)
  expect(await hours(where)).toEqual(['09:00'])
})

it('is free again once each date of a series is cancelled', async () => {
  const where = await room(times)
  const email = `${crypto.randomUUID()}@example.org`
  const dates = [nine].map(one => ({ ...one, resourceUuid: where.resourceUuid }))
  await desk('/series', { productUuid: practice.productUuid, customer: { name: 'Ann Winter', email }, dates })
  expect(await hours(where)).toEqual(['08:00'])
  const [mail] = await mailsTo(holdfast, email)
  await consumer.send('POST', linkIn(mail!.text, 'cancel'), '', { headers: form })
  expect(await hours(where)).toEqual(['08:00', '09:00'])
})

it('stays as it is if it is a class', async () => {
  const { where, cancel } = await bookedAtDesk({ capacity: 5 })
  await cancel()
  expect(await statesIn(where)).toEqual(['ACTIVE'])
})
