// A list without a cache: the service's own statement, then JSON.stringify of the same objects. With `build`,
// the objects are built from the statement's rows, as any program must; without it, they exist already.

import type pg from 'pg'
import sql from 'sql-template-tag'
import { openDb } from '../../src/db/base/pool.ts'
import { windowQuery, windowText } from '../../src/db/booking/windows.ts'
import { serveBare } from './serve.ts'

type List = Record<string, { [field: string]: unknown; timeslot_uuid: string }[]>
type Input = {
  database: pg.PoolConfig
  build: boolean
  lists: Map<string, { resourceId: number; list: List }>
}
type Row = { timeslots: string; appointments: string }
type Timeslot = [id: number, uuid: string, start: number, end: number, raster: number]

const text = windowText({ from: sql`app_now()`, to: sql`'infinity'::timestamptz` })
const wantedOne = (id: number) =>
  sql`(select ${id}::bigint as resource_id, 'RESOURCE_PUBLIC' as channel_key, 1 as position) as wanted`

serveBare(({ database, lists, build }: Input) => {
  const db = openDb(database)
  return async (request, response) => {
    const { resourceId, list } = lists.get(request.url!)!
    const [row] = await db.query<Row>(windowQuery(text, wantedOne(resourceId)))
    const body = Buffer.from(JSON.stringify(build ? listOf(row!, list) : list))
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    })
    response.end(body)
  }
})

// One zone, one offset, one Product, one place per slot, no buffers, no rules: less than any product would
// ship.
const offset = '+01:00'
const offsetMs = 3_600_000

function listOf({ timeslots, appointments }: Row, like: List): List {
  const [example] = Object.values(like)[0]!
  const taken = new Set((JSON.parse(appointments) as [unknown[][]])[0].map(one => one[8]))
  const list: Record<string, unknown> = {}
  for (const [_first, uuid, from, to, raster] of JSON.parse(timeslots) as Timeslot[])
    for (let start = from; start < to; start += raster * 60_000) {
      if (taken.has(start)) continue
      const [begin, end] = [start, start + raster * 60_000].map(at => new Date(at + offsetMs).toISOString())
      const day = begin!.slice(0, 10)
      list[day] ??= []
      ;(list[day] as unknown[]).push({
        start: begin!.slice(0, 19) + offset,
        end: end!.slice(0, 19) + offset,
        formattedStart: `${day} ${begin!.slice(11, 16)}`,
        formattedEnd: `${end!.slice(0, 10)} ${end!.slice(11, 16)}`,
        timeslot_uuid: uuid,
        product_uuid: example!.product_uuid,
        product_name: example!.product_name,
        products: example!.products,
        resource_uuid: example!.resource_uuid,
        resource_name: example!.resource_name,
        contact_channel: example!.contact_channel,
        capacity: 1,
        capacity_left: 1,
        kind: 'models.Bookable',
      })
    }
  return { ...list, public_visible: true } as unknown as List
}
