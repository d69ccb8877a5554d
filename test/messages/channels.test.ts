import { afterAll, expect, it } from 'vitest'
import { Metrics } from '../../src/lib/watch/metrics.ts'
import { contentOf } from '../../src/messages/content/content-of.ts'
import { deliver, makeDeliverer } from '../../src/messages/deliver.ts'
import { channels, type MessageData, messages } from '../../src/rules/messages/messages.ts'
import { makeAppointment, makeCustomer, makeParticipation, makePractice } from '../support/build.ts'
import { jobsQueued, useService } from '../support/service.ts'

// A channel that only this test has: its lines in the rules, and a sender.
Object.assign(channels, { sms: { address: 'mobile', job: 'deliver-sms' } })
Object.assign(messages.booked, { via: ['email', 'sms'] })
afterAll(() => {
  Reflect.deleteProperty(channels, 'sms')
  Reflect.deleteProperty(messages.booked, 'via')
})

const holdfast = await useService()
const { db } = holdfast.service

it('sends a message through every channel that it lists, if the person has an address there', async () => {
  const practice = await makePractice(holdfast.crm)
  const appointment = await makeAppointment(holdfast.crm, practice, { maxCapacity: 2 })
  for (const contact of [
    { email: 'both@example.org', mobile: '+4915112345678' },
    { email: 'no-number@example.org' },
  ]) {
    const customer = await makeCustomer(holdfast.crm, practice, contact)
    await makeParticipation(holdfast.crm, practice, appointment.reference, 'BOOKED', customer)
  }
  await jobsQueued(holdfast)
  const { rows } = await db.pool.query(
    `select mail.id::int, channel, recipient, task_identifier as job from mail
     join graphile_worker.jobs on key = 'mail:' || mail.batch[1] where kind = 'booked' order by mail.id`,
  )
  expect(rows).toMatchObject([
    { channel: 'email', recipient: 'both@example.org', job: 'deliver-mail' },
    { channel: 'sms', recipient: '+4915112345678', job: 'deliver-sms' },
    { channel: 'email', recipient: 'no-number@example.org', job: 'deliver-mail' },
  ])
  const sent: string[][] = []
  const deliverer = makeDeliverer({
    db,
    channel: 'sms' as 'email',
    sender: {
      send: async ({ kind, language, data }, to) => {
        sent.push([to, contentOf(kind, language, data as MessageData[typeof kind]).subject])
      },
      isPermanentRefusal: () => false,
      watch: null,
    },
    giveUp: async () => {},
    outcomes: new Metrics().mails,
  })
  await deliver(deliverer, [rows[1].id], { jobId: '1', isLastAttempt: false })
  expect(sent).toEqual([['+4915112345678', expect.stringContaining('confirmed')]])
  const { rows: states } = await db.pool.query(`select state from mail where kind = 'booked' order by id`)
  expect(states.map(one => one.state)).toEqual(['queued', 'sent', 'queued'])
})
