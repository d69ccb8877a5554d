// A sent email is recorded as sent even if the database connection breaks at that moment; it is not sent
// again.

import { expect, it, onTestFinished } from 'vitest'
import { usualLimits } from '../../src/db/base/driver/connection.ts'
import { type Db, openDb } from '../../src/db/base/pool.ts'
import { Metrics } from '../../src/lib/watch/metrics.ts'
import { deliver, makeDeliverer } from '../../src/messages/deliver.ts'
import { emailSender } from '../../src/messages/email/sender.ts'
import type { Email, Transport } from '../../src/messages/email/transport.ts'
import { makeUser } from '../support/build.ts'
import { startCutProxy } from '../support/cut-proxy.ts'
import { startProxy } from '../support/proxy.ts'
import { eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const job = { jobId: '1', isLastAttempt: false }

it.each(['before the commit', 'after the commit'] as const)('%s', async when => {
  await makeUser(holdfast.crm)
  const rows = await holdfast.query(`select id from mail where state = 'queued'`)
  const ids = rows.map(row => Number(row.id))
  const { connection, cut, cuts } = await startCutProxy(holdfast.connection)
  const db = openDb(connection, holdfast.clock)
  const sent: Email[] = []
  const transport = {
    send: async (email: Email) => {
      sent.push(email)
      cut(when)
    },
  } as unknown as Transport
  const giveUp = async () => {}
  const sender = emailSender(transport, 'example.org', null)
  const deliverer = makeDeliverer({
    db,
    channel: 'email',
    sender,
    giveUp,
    outcomes: new Metrics().mails,
  })
  // The job is retried, whatever the result.
  await deliver(deliverer, ids, job).catch(() => {})
  await deliver(deliverer, ids, job)
  await db.close()
  expect([sent.length, cuts()]).toEqual([1, 1])
  const after = await holdfast.query('select state from mail where id = any ($1)', [ids])
  expect(after).toEqual([{ state: 'sent' }])
})

const queued = async () => {
  await makeUser(holdfast.crm)
  const rows = await holdfast.query(`select id from mail where state = 'queued'`)
  return rows.map(row => Number(row.id))
}

const statesOf = async (ids: number[]) =>
  (await holdfast.query('select state from mail where id = any ($1)', [ids])).map(row => row.state)

it('is recorded by the process that sent it, once the database is back', async () => {
  const ids = await queued()
  const proxy = await startProxy(holdfast.connection)
  const db = openDb({ ...proxy.connection, limits: { ...usualLimits, connect: 1 } }, holdfast.clock)
  onTestFinished(() => db.close())
  const sent: Email[] = []
  const deliverer = delivererOn(db, async email => {
    sent.push(email)
    await proxy.die()
  })
  await expect(deliver(deliverer, ids, job)).rejects.toThrow()
  expect(await statesOf(ids)).toEqual(['queued'])
  await startProxy(holdfast.connection, Number(proxy.connection.port))
  await eventually(async () => (await statesOf(ids))[0] === 'sent')
  expect(sent).toHaveLength(1)
})

it('is recorded and not sent again when a failover has lost the record; staff can still send it again', async () => {
  const ids = await queued()
  const sent: Email[] = []
  const deliverer = delivererOn(holdfast.service.db, async email => void sent.push(email))
  await deliver(deliverer, ids, job)
  const requeue = () =>
    holdfast.service.db.pool.query(`update mail set state = 'queued' where id = any ($1)`, [ids])
  await requeue()
  await deliver(deliverer, ids, job)
  expect([sent.length, await statesOf(ids)]).toEqual([1, ['sent']])
  await requeue()
  await deliver(deliverer, ids, { ...job, jobId: '2' })
  expect(sent).toHaveLength(2)
})

function delivererOn(db: Db, send: (email: Email) => Promise<void>) {
  const transport = { send } as unknown as Transport
  const deliverer = makeDeliverer({
    db,
    channel: 'email',
    sender: emailSender(transport, 'example.org', null),
    giveUp: async () => {},
    outcomes: new Metrics().mails,
  })
  onTestFinished(() => deliverer.accepted.close())
  return deliverer
}
