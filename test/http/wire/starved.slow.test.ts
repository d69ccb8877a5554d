import type pg from 'pg'
import { expect, it, vi } from 'vitest'
import { call, eventually, useService } from '../../support/service.ts'

const holdfast = await useService()
const ready = async () => {
  const { status, body } = await call(holdfast.app, 'GET', '/readyz')
  return [status, body.database]
}

it('/readyz fails after 10 seconds without a free connection, and recovers without a request', async () => {
  const { pool } = holdfast.service.db
  const held: pg.PoolClient[] = []
  while (held.length < 10) held.push(await pool.connect())
  expect(await ready()).toEqual([200, 'ok'])
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_500)
  expect(await ready()).toEqual([503, 'no connection'])
  for (const client of held) client.release()
  await eventually(async () => (await ready())[0] === 200)
  later.mockRestore()
})
