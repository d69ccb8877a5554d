import { describe, expect, it, onTestFinished } from 'vitest'
import { makeSender } from '../../src/webhooks/send.ts'
import { makeCustomer, makePractice } from '../support/build.ts'
import { type OddAnswer, oddAnswers, startOddReceiver } from '../support/odd-receiver.ts'
import { startReceiver } from '../support/receiver.ts'
import { expectRefusal } from '../support/refusals.ts'
import { eventually, runJobs, useService } from '../support/service.ts'

const holdfast = await useService({ WEBHOOK_ALLOW_PRIVATE: '1' })
const impatient = makeSender({ allowPrivate: true, patience: 300 })

async function receive(answer: OddAnswer) {
  const receiver = await startOddReceiver(answer)
  onTestFinished(() => receiver.close())
  return receiver
}

describe('a webhook request', () => {
  it.each(Object.entries(oddAnswers))('fails after %s', async (_, answer) => {
    const { url } = await receive(answer)
    const { status, error } = await impatient.send(url, {}, '{}')
    expect([status, error]).toEqual([null, expect.stringMatching(/./)])
  })
})

describe('a delivery', () => {
  it('answered with 101 counts as failed, and the webhook backs off', async () => {
    holdfast.service.webhookSender = impatient
    const practice = await makePractice(holdfast.crm)
    const receiver = await receive(oddAnswers['101 Switching Protocols']!)
    const { body } = await holdfast.crm.post('/webhooks', { url: receiver.url, kinds: ['customer.created'] })
    runJobs(holdfast)
    await makeCustomer(holdfast.crm, practice)
    const failing = await eventually(async () => {
      const { webhook } = (await holdfast.crm.get(`/webhooks/${body.webhook.uuid}`)).body
      return webhook.failingSince !== null && webhook
    })
    expect(Date.parse(failing.nextTryAt)).toBeGreaterThan(Date.parse(failing.failingSince))
    expect(receiver.count()).toBe(1)
  })
})

describe('testing a webhook with an Idempotency-Key', () => {
  async function testOf(url: string) {
    const { body } = await holdfast.crm.post('/webhooks', { url })
    const path = `/webhooks/${body.webhook.uuid}/test`
    return (key: string) => holdfast.crm.post(path, undefined, { headers: { 'idempotency-key': key } })
  }

  it('holds no connection while it waits, however many run', async () => {
    holdfast.service.webhookSender = makeSender({ allowPrivate: true, patience: 60_000 })
    const receiver = await receive(oddAnswers.silence!)
    const send = await testOf(receiver.url)
    const waiting = Array.from({ length: 15 }, (_, index) => send(`waiting-${index}`))
    await eventually(async () => receiver.count() === 15)
    expect((await holdfast.crm.get('/webhooks')).status).toBe(200)
    expectRefusal(await send('waiting-0'), 409, 'in-progress', 'Idempotency-Key')
    holdfast.service.webhookSender.close()
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200)
  })

  it('sends once and repeats the same response', async () => {
    holdfast.service.webhookSender = impatient
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const send = await testOf(receiver.url)
    const [first, again] = [await send('once'), await send('once')]
    expect([first.status, again.text, again.headers['idempotency-replayed']]).toEqual([
      200,
      first.text,
      'true',
    ])
    expect(receiver.received).toHaveLength(1)
  })
})
