// A mail that was sent is noted as sent, though the connection to the database breaks in that moment: it is not sent again.

import { expect, it } from 'vitest'
import { openDb } from '../../src/db/base/pool.ts'
import { Counts } from '../../src/lib/counts.ts'
import { deliver, makePostman } from '../../src/mail/deliver.ts'
import type { Letter, Transport } from '../../src/mail/transport.ts'
import { makeUser } from '../support/build.ts'
import { startCutProxy } from '../support/cut-proxy.ts'
import { useService } from '../support/service.ts'

const test = await useService()

it.each(['before the commit', 'after the commit'] as const)('%s', async when => {
  await makeUser(test.crm)
  const { rows } = await test.service.db.pool.query(`select id from mail where state = 'queued'`)
  const ids = rows.map(row => Number(row.id))
  const { connection, cut, cuts } = await startCutProxy(test.connection)
  const db = openDb(connection, test.clock)
  const sent: Letter[] = []
  const transport = {
    send: async (letter: Letter) => {
      sent.push(letter)
      cut(when)
    },
  } as unknown as Transport
  const giveUp = async () => {}
  const postman = makePostman({
    db,
    transport,
    host: 'example.org',
    giveUp,
    watch: null,
    counts: new Counts(),
  })
  // The job is tried again, whatever came of it.
  await deliver(postman, ids, false).catch(() => {})
  await deliver(postman, ids, false)
  await db.close()
  expect([sent.length, cuts()]).toEqual([1, 1])
  const { rows: after } = await test.service.db.pool.query('select state from mail where id = any ($1)', [
    ids,
  ])
  expect(after).toEqual([{ state: 'sent' }])
})
