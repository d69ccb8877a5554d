// Reserve and complete send many statements at once. What one of them says must not get lost among the others.

import type pg from 'pg'
import sql from 'sql-template-tag'
import { expect, it, vi } from 'vitest'
import { socketOf } from '../../src/db/base/driver/session.ts'
import { run } from '../../src/db/base/driver/statements.ts'
import { jsonRows } from '../../src/db/base/json.ts'
import { inTransaction } from '../../src/db/base/transactions.ts'
import { useService } from '../support/service.ts'

const holdfast = await useService()
const db = holdfast.service.db
await db.query(sql`create table note (text text primary key)`)

const write = (text: string) => sql`insert into note (text) values (${text})`
const divide = sql`select 1 / 0`
const notes = async () =>
  (await db.query<{ text: string }>(sql`select text from note order by text`)).map(row => row.text)

const divisionByZero = '22012'
const uniqueViolation = '23505'

it('reports the error of the failed statement, not that of its followers', async () => {
  const work = db.transaction(tx =>
    Promise.all([
      // Its error arrives first, but is reported last.
      tx.query(divide).catch(error => new Promise((_, reject) => setTimeout(() => reject(error), 10))),
      tx.query(write('a')),
    ]),
  )
  await expect(work).rejects.toMatchObject({ code: divisionByZero })
  expect(await notes()).toEqual([])
})

it('an unhandled error is no success', async () => {
  const work = db.transaction(async tx => {
    await tx.query(write('a'))
    await tx.query(divide).catch(() => {})
    return 'done'
  })
  await expect(work).rejects.toMatchObject({ code: divisionByZero })
  expect(await notes()).toEqual([])
})

it('sends the last statements with the commit: all is written, or the error is reported and nothing is', async () => {
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

it('rethrows errors of the work unchanged', async () => {
  const work = db.transaction(async tx => {
    await tx.query(divide).catch(() => {
      throw new Error('my own words')
    })
  })
  await expect(work).rejects.toThrow('my own words')
})

/** A connection of its own, and how many packets are sent over it. */
async function countingPackets(work: (client: pg.PoolClient) => Promise<unknown>): Promise<number> {
  const client = await db.pool.connect()
  try {
    const socket = socketOf(client)
    const uncork = socket.uncork.bind(socket)
    let packets = 0
    vi.spyOn(socket, 'uncork').mockImplementation(() => {
      if (socket.writableCorked === 1) packets++
      uncork()
    })
    await work(client)
    return packets
  } finally {
    client.release(true)
  }
}

it('what is asked in one turn is sent at once', async () => {
  const writes = await countingPackets(client =>
    inTransaction(client, async tx => {
      const answers = await Promise.all([1, 2, 3].map(one => tx.query(sql`select ${one}::int as number`)))
      expect(answers).toEqual([[{ number: 1 }], [{ number: 2 }], [{ number: 3 }]])
    }),
  )
  expect(writes).toBe(2)
})

it('the first run of a statement may fail, and be followed by others of its kind in the same turn', async () => {
  const inverse = (number: number) => sql`select 12 / ${number}::int as twelfth`
  await countingPackets(async client => {
    await expect(inTransaction(client, tx => tx.query(inverse(0)))).rejects.toMatchObject({
      code: divisionByZero,
    })
    for (const _ of [1, 2])
      expect(
        await inTransaction(client, tx => Promise.all([1, 2, 3].map(one => tx.query(inverse(one))))),
      ).toEqual([[{ twelfth: 12 }], [{ twelfth: 6 }], [{ twelfth: 4 }]])
    await expect(inTransaction(client, tx => tx.query(inverse(0)))).rejects.toMatchObject({
      code: divisionByZero,
    })
    expect(await inTransaction(client, tx => tx.query(inverse(3)))).toEqual([{ twelfth: 4 }])
  })
})

it('returns results from before a failure, and writes nothing', async () => {
  const answers: unknown[] = []
  const work = db.transaction(tx =>
    Promise.all([
      tx.query(sql`select 1 as number`).then(rows => answers.push(rows)),
      tx.query(write('g')).then(rows => answers.push(rows)),
      tx.query(divide),
      tx.query(write('h')).catch(error => answers.push(error.code)),
    ]),
  )
  await expect(work).rejects.toMatchObject({ code: divisionByZero })
  expect(answers).toEqual([[{ number: 1 }], [], divisionByZero])
  expect(await notes()).toEqual(['b', 'e'])
})

it('outside of a transaction nothing is done before it is written', async () => {
  await db.query(sql`create table late (number int unique deferrable initially deferred)`)
  const insert = sql`insert into late values (1), (1)`
  for (const _ of [1, 2]) await expect(db.query(insert)).rejects.toMatchObject({ code: uniqueViolation })
  expect(await db.query(sql`select from late`)).toEqual([])
})

it('reads columns by their names, even if another statement was prepared under the name', async () => {
  const client = await db.pool.connect()
  const ask = () => run(client, sql`select 1 as before`)
  await ask()
  const { rows } = await client.query(
    `select name from pg_prepared_statements where statement like '%as before'`,
  )
  await client.query(`deallocate ${rows[0].name}`)
  await client.query(`prepare ${rows[0].name} as select 2 as added, 1 as before`)
  expect(await ask()).toEqual([{ added: 2, before: 1 }])
  client.release(true)
})

it('a value that cannot be sent fails by itself, and the connection goes on', async () => {
  const odd = {
    toPostgres() {
      throw new Error('not to be sent')
    },
  }
  await countingPackets(async client => {
    await expect(inTransaction(client, tx => tx.query(sql`select ${odd}`))).rejects.toThrow('not to be sent')
    expect(await inTransaction(client, tx => tx.query(sql`select 1 as number`))).toEqual([{ number: 1 }])
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

it('values arrive as they are, by whichever way they are sent', async () => {
  const instants = [
    '0044-03-15T12:00:00Z',
    '1969-12-31T23:59:59.999Z',
    '2029-03-25T01:30:00.123Z',
    '9999-12-31T23:59:59Z',
  ]
  const far = Date.parse('9999-12-31T00:00:00Z') + 5 * 86_400_000
  for (const instant of [...instants.map(text => Date.parse(text)), far]) {
    const [row] = await db.query(sql`select ${new Date(instant)}::timestamptz as instant,
      (${[new Date(instant), new Date(0)]}::timestamptz[])[1] as first`)
    expect(row).toEqual({ instant, first: instant })
  }
  const sent = {
    numbers: [1, 2.5, -3],
    none: [],
    gaps: [1, null],
    texts: ['a', '"b"', '{c,\\\\}', ''],
    truth: [true, false],
  }
  const [row] = await db.query(sql`select ${sent.numbers}::float8[] as numbers, ${sent.none}::int[] as none,
    ${sent.gaps}::int[] as gaps, ${sent.texts}::text[] as texts, ${sent.truth}::boolean[] as truth`)
  expect(row).toEqual(sent)
})
