import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { traced } from '../../../lib/watch/traced.ts'
import { nameOf } from './names.ts'
import { socketOf } from './session.ts'
import { encodeValue } from './values.ts'

/**
 * Returns rows with names as the program spells them (`start_at` as `startAt`). Traces show the statement,
 * never its values.
 */
export const run = <Row extends object>(client: pg.PoolClient, statement: Sql): Promise<Row[]> =>
  traced(
    'query',
    () => ({ 'db.system.name': 'postgresql', 'db.query.text': statement.text.replace(/\s+/g, ' ').trim() }),
    async () => rowsOf<Row>(await send(client, statement.text, statement.values)),
  )

/** Does not wait for earlier statements of this connection: the driver's pipeline is on. */
export function send(
  client: pg.PoolClient,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryArrayResult> {
  shareOnePacket(client)
  return client.query({
    name: statementName(text),
    text,
    values: values.map(encodeValue),
    rowMode: 'array',
  } as pg.QueryArrayConfig)
}

function shareOnePacket(client: pg.PoolClient) {
  const socket = socketOf(client)
  if (socket.writableCorked > 0) return
  socket.cork()
  process.nextTick(() => socket.uncork())
}

function rowsOf<Row>({ fields, rows }: pg.QueryArrayResult): Row[] {
  const names = fields.map(field => nameOf(field.name))
  const named = rows.map(values => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) row[name] = values[index]
    return row as Row
  })
  // Left to the collector, the rows of all pages of a long list stay until a full collection (measured).
  rows.length = 0
  return named
}

// Statement texts are templates in the source, so there are few, and each connection prepares them once.
// Texts with a variable number of parts could be many; beyond this number they stay unnamed.
const maximumNames = 1_000
const statementNames = new Map<string, string>()

function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known || statementNames.size >= maximumNames) return known
  const name = `q${statementNames.size}`
  statementNames.set(text, name)
  return name
}
