// One insert per booking under an exclusion constraint: no validation, no hold, no product, no rules, no
// email.

import pg from 'pg'
import { serveBare } from './serve.ts'

const table = `
  create extension if not exists btree_gist;
  drop table if exists bare_booking;
  create table bare_booking (
    id bigint generated always as identity primary key, resource text not null, during tstzrange not null,
    exclude using gist (resource with =, during with &&)
  )`

serveBare(async (database: pg.PoolConfig) => {
  const pool = new pg.Pool({ ...database, max: 10 })
  await pool.query(table)
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', async () => {
      const { from, to } = JSON.parse(Buffer.concat(chunks).toString())
      const resource = request.url!.split('/')[2]
      const { rows } = await pool.query({
        name: 'book',
        text: 'insert into bare_booking (resource, during) values ($1, tstzrange($2, $3)) returning id',
        values: [resource, from, to],
      })
      const body = JSON.stringify({ booking: { id: rows[0].id, resource, from, to } })
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    })
  }
})
