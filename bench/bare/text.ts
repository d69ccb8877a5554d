// The least that any program must do for a list that has just changed: query one indexed table for busy
// times, and build the text by hand. No rules, no zones, one Product, opening hours known in advance.

import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import pg from 'pg'
import { brotliOptions } from '../../src/lib/compression.ts'
import { serveBare } from './serve.ts'

type Resource = {
  id: number
  /** The Timeslots, each with the text after the times, which is the same for all its slots. */
  timeslots: { from: number; to: number; step: number; rest: string }[]
  offset: string
  offsetMs: number
}
type Input = { database: pg.PoolConfig; compressed: boolean; resources: Map<string, Resource> }

const brotlied = promisify(brotliCompress)

const busyTimes = `
  select date_part('epoch', start_at)::bigint::text || ' ' || date_part('epoch', end_at)::bigint::text as busy
  from appointment
  where resource_id = $1 and blocked_to > now() and state = 'ACTIVE' and deleted_at is null`

serveBare(({ database, compressed, resources }: Input) => {
  const pool = new pg.Pool({ ...database, max: 10 })
  return async (request, response) => {
    const resource = resources.get(request.url!)!
    const { rows } = await pool.query({
      name: 'busy',
      text: busyTimes,
      values: [resource.id],
      rowMode: 'array',
    })
    const text = listOf(resource, rows as unknown as string[][])
    const body = compressed ? await brotlied(text, brotliOptions) : Buffer.from(text)
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      ...(compressed ? { 'content-encoding': 'br' } : {}),
    })
    response.end(body)
  }
})

/** A booking is as long as a slot, so it takes exactly the slot that starts with it. */
function listOf({ timeslots, offset, offsetMs }: Resource, busy: string[][]): string {
  const taken = new Set(busy.map(([span]) => Number(span!.slice(0, span!.indexOf(' '))) * 1000))
  let text = ''
  let group = ''
  for (const { from, to, step, rest } of timeslots)
    for (let at = from; at < to; at += step) {
      if (taken.has(at)) continue
      const start = new Date(at + offsetMs).toISOString()
      const end = new Date(at + step + offsetMs).toISOString()
      const day = start.slice(0, 10)
      text += day === group ? ',{' : `${group === '' ? '{' : '],'}"${day}":[{`
      group = day
      text += `"start":"${start.slice(0, 19)}${offset}","end":"${end.slice(0, 19)}${offset}","formattedStart":"${day} ${start.slice(11, 16)}","formattedEnd":"${end.slice(0, 10)} ${end.slice(11, 16)}"${rest}`
    }
  return `${text}],"public_visible":true}`
}
