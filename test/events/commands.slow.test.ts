import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCustomer, makePractice, type Practice } from '../support/build.ts'
import { startCli } from '../support/process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'

let holdfast: TestService
let practice: Practice
let receiver: Receiver
let origin: string
beforeAll(async () => {
  holdfast = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' })
  practice = await makePractice(holdfast.crm)
  receiver = await startReceiver()
  await holdfast.app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(holdfast.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await holdfast.close()
  await receiver.close()
})

/** Runs `holdfast ...` in its own process on the same database. */
function cli(...args: string[]) {
  const { host, port, user, database } = holdfast.connection as Record<string, string>
  return startCli(args, {
    DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`,
    SECRET_KEY: 's'.repeat(32),
    WEBHOOK_ALLOW_PRIVATE: '1',
    HOLDFAST_KEY: holdfast.crm.key,
  })
}

async function run(...args: string[]) {
  const { exit, output } = cli(...args, '--crm', 'crm')
  const code = await exit
  return { code, output: output() }
}

it('events tail prints one line per event', async () => {
  const tail = cli('events', 'tail', '--crm', 'crm', '--url', origin, '--kinds', 'customer.created')
  // It prints only events from after its start.
  const line = await eventually(async () => {
    await makeCustomer(holdfast.crm, practice)
    return tail
      .output()
      .split('\n')
      .find(text => text.startsWith('{'))
  })
  expect(JSON.parse(line)).toMatchObject({ kind: 'customer.created', provider: practice.reference })
})

it('listen forwards events to a local URL, signed', async () => {
  const listen = cli('listen', '--crm', 'crm', '--url', origin, '--forward', receiver.url)
  await eventually(async () => {
    await makeCustomer(holdfast.crm, practice)
    return receiver.received.length > 0
  })
  const secret = listen.output().match(/whsec_\S+/)![0]
  const { body, headers } = receiver.received[0]!
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'customer.created',
  })
})

it('reports an invalid key', async () => {
  const { code, output } = await run('events', 'tail', '--url', origin, '--key', `hf_none_${'0'.repeat(32)}`)
  expect([code, output]).toEqual([1, expect.stringMatching(/key/i)])
})

it('webhook create, list, test, remove', async () => {
  const made = await run('webhook', 'create', receiver.url)
  expect(made).toEqual({ code: 0, output: expect.stringMatching(/whsec_/) })
  const [uuid = ''] = made.output.split('\n')
  expect((await run('webhook', 'list')).output).toContain(`${uuid}  on`)
  const { length } = receiver.received
  expect(await run('webhook', 'test', uuid)).toEqual({
    code: 0,
    output: expect.stringMatching(/^204 after \d+ ms/),
  })
  expect(receiver.received[length]!.json.type).toBe('test')
  expect(await run('webhook', 'remove', uuid)).toEqual({ code: 0, output: 'Removed.\n' })
  expect((await holdfast.crm.get('/webhooks')).body.webhooks).toEqual([])
  expect((await run('webhook', 'test', uuid)).code).toBe(1)
})

it('metrics and readiness include events and webhooks', async () => {
  const { body } = await holdfast.crm.post('/webhooks', { url: receiver.url })
  await makeCustomer(holdfast.crm, practice)
  await holdfast.crm.post(`/webhooks/${body.webhook.uuid}/test`)
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  expect(metrics).toMatch(/holdfast_events_total\{kind="customer.created"\} \d+/)
  expect(metrics).toMatch(/holdfast_webhook_deliveries_total\{outcome="delivered"\} \d+/)
  expect(metrics).toMatch(/^holdfast_webhook_oldest_undelivered_seconds [\d.]+$/m)
  const ready = (await (await fetch(`${origin}/readyz`)).json()) as { webhooks: object }
  expect(ready).toMatchObject({ webhooks: { failing: 0, oldestSeconds: 0 } })
})
