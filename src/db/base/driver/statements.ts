import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { traced } from '../../../lib/watch/traced.ts'
import { PreparedStatements, statementOf } from './prepared.ts'
import { RoundTrip, type StatementResult } from './round-trip.ts'
import { streamOf } from './stream.ts'

/**
 * Returns rows with names as the program spells them (`start_at` as `startAt`). Traces show the statement,
 * never its values.
 */
export const run = <Row extends object>(client: pg.PoolClient, statement: Sql): Promise<Row[]> =>
  traced(
    'query',
    () => ({ 'db.system.name': 'postgresql', 'db.query.text': statement.text.replace(/\s+/g, ' ').trim() }),
    async () => (await send(client, statement.text, statement.values)).rows as Row[],
  )

/** The state of one connection. */
type Line = {
  statements: PreparedStatements
  next: RoundTrip | null
  underWay: number
  watch?: NodeJS.Timeout
}

const lines = new WeakMap<pg.PoolClient, Line>()

function lineOf(client: pg.PoolClient): Line {
  const known = lines.get(client)
  if (known) return known
  const line: Line = { statements: new PreparedStatements(), next: null, underWay: 0 }
  lines.set(client, line)
  return line
}

/** Sends the statement together with all others of this connection and turn. */
export async function send(
  client: pg.PoolClient,
  text: string,
  values: unknown[] = [],
): Promise<StatementResult> {
  const line = lineOf(client)
  line.next ??= sendAtEndOfTurn(client, line)
  try {
    return await line.next.ask(statementOf(text), values)
  } catch (error) {
    // Shows where the query was made instead of where its answer was read.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

function sendAtEndOfTurn(client: pg.PoolClient, line: Line): RoundTrip {
  const trip = new RoundTrip(line.statements, () => line.underWay--)
  process.nextTick(() => {
    line.next = null
    line.underWay++
    line.watch?.refresh()
    client.query(trip as unknown as pg.Submittable)
  })
  return trip
}

/** Detects a silent network. One timer per connection: a timer per statement costs more than sending it. */
export function watch(client: pg.PoolClient, ms: number) {
  const line = lineOf(client)
  const disconnect = () => line.underWay > 0 && streamOf(client)?.destroy(new Error('Query read timeout'))
  line.watch = setTimeout(disconnect, ms).unref()
}
