// Reserve and complete send many statements at once. What one of them says must not get lost among the others.

import { Socket } from 'node:net'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { jsonRows } from '../../src/db/base/json.ts'
import { streamOf } from '../../src/db/base/stream.ts'
import { useService } from '../support/service.ts'

const test = await useService()
const db = test.service.db
await db.query(sql`create table note (text text primary key)`)

const write = (text: string) => sql`insert into note (text) values (${text})`
const divide = sql`select 1 / 0`
const notes = async () =>
  (await db.query<{ text: string }>(sql`select text from note order by text`)).map(row => row.text)

const divisionByZero = '22012'
const uniqueViolation = '23505'

it('of statements that travel together, the error of the one that failed is told, not that of its followers', async () => {
  const work = db.transaction(tx =>
    Promise.all([
      // Its error arrives first, but is told last.
      tx.query(divide).catch(error => new Promise((_, reject) => setTimeout(() => reject(error), 10))),
      tx.query(write('a')),
    ]),
  )
  await expect(work).rejects.toMatchObject({ code: divisionByZero })
  expect(await notes()).toEqual([])
})

it('an error that nobody listened to is no success', async () => {
  const work = db.transaction(async tx => {
    await tx.query(write('a'))
    await tx.query(divide).catch(() => {})
    return 'done'
  })
  await expect(work).rejects.toMatchObject({ code: divisionByZero })
  expect(await notes()).toEqual([])
})

it('the last statements travel with the commit: all is written, or the error is told and nothing is', async () => {
  expect(await db.transaction(tx => tx.last(tx.query(write('b')).then(() => 'done')))).toBe('done')
  expect(await notes()).toEqual(['b'])
  const work = db.transaction(async tx => {
    await tx.query(write('c'))
    return tx.last(Promise.all([tx.query(write('d')), tx.query(write('b'))]))
  })
  await expect(work).rejects.toMatchObject({ code: uniqueViolation })
  expect(await notes()).toEqual(['b'])
})

it('no statement comes after the last ones: it would stand outside of the transaction', async () => {
  const work = db.transaction(async tx => {
    await tx.last(tx.query(write('e')))
    await tx.query(write('f'))
  })
  await expect(work).rejects.toThrow('after the last')
  expect(await notes()).toEqual(['b', 'e'])
})

it('what the work throws itself is told as it is', async () => {
  const work = db.transaction(async tx => {
    await tx.query(divide).catch(() => {
      throw new Error('my own words')
    })
  })
  await expect(work).rejects.toThrow('my own words')
})

it('what is sent in one turn leaves in one packet, through a part of the driver that is not promised to stay', async () => {
  const client = await db.pool.connect()
  client.release()
  expect(streamOf(client)).toBeInstanceOf(Socket)
  await db.transaction(async tx => {
    const answer = tx.query(sql`select 1`)
    expect(streamOf(client)!.writableCorked).toBeGreaterThan(0)
    await answer
    expect(streamOf(client)!.writableCorked).toBe(0)
  })
})

it('rows are spelled as the program does, columns as the database does, and values stay as they are', async () => {
  const sent = [{ startAt: 1, raster2x: 2, address: { zip_code: '1', countryCode: 'DE' } }]
  const rows = await db.query(sql`
    select start_at, raster2x, address
    from jsonb_to_recordset(${jsonRows(sent)}::jsonb) as sent (start_at integer, raster2x integer, address jsonb)
  `)
  expect(rows).toEqual(sent)
  expect(await db.transaction(tx => tx.query(sql`select 1 as is_to_come where false`))).toEqual([])
  expect(await db.query(sql`select 'de' as language, null as "from", true as is_to_come`)).toEqual([
    { language: 'de', from: null, isToCome: true },
  ])
})
