// One statement per call that inserts a Resource, its four channels and its event: no key, no validation, no
// rules.

import pg from 'pg'
import { serveBare } from './serve.ts'

const tables = `
  drop table if exists bare_resource, bare_channel, bare_event;
  create table bare_resource (like resource including all);
  create table bare_channel (like channel including all);
  create table bare_event (like event including all)`

const insert = `
  with made as (
    insert into bare_resource (provider_id, reference, public_name, internal_name, description)
    values (1, $1, $2, $3, $4) returning id
  ), channels as (
    insert into bare_channel (provider_id, resource_id, key, own_settings)
    select 1, id, key, '{}' from made, unnest('{RESOURCE_PUBLIC,RESOURCE_EXCLUSIVE,RESOURCE_REFERENCE,CALENDAR_PUBLIC}'::text[]) as key
  ), told as (
    insert into bare_event (crm_id, era, kind, provider_id, subject, actor_kind)
    select 1, 1, 'resource.created', 1, id, 'key' from made
  )
  select id from made`

serveBare(async (database: pg.PoolConfig) => {
  const pool = new pg.Pool({ ...database, max: 10 })
  await pool.query(tables)
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', async () => {
      const sent = JSON.parse(Buffer.concat(chunks).toString())
      const values = [sent.reference, sent.publicName, sent.internalName, sent.description]
      const { rows } = await pool.query({ name: 'insert', text: insert, values })
      const body = JSON.stringify({ ...sent, id: rows[0].id })
      response.writeHead(201, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    })
  }
})
