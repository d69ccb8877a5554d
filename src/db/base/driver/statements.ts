import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { traced } from '../../../lib/watch/traced.ts'
import { PreparedStatements, statementOf } from './prepared.ts'
import { type Answered, RoundTrip } from './round-trip.ts'
import { streamOf } from './stream.ts'

/** Rows as the program spells their names: `start_at` is `startAt`. A trace shows the statement, never its values. */
export const run = <Row extends object>(client: pg.PoolClient, statement: Sql): Promise<Row[]> =>
  traced(
    'query',
    () => ({ 'db.system.name': 'postgresql', 'db.query.text': statement.text.replace(/\s+/g, ' ').trim() }),
    async () => (await ask(client, statement.text, statement.values)).rows as Row[],
  )

/** What one connection is doing. */
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

/** Goes out, together with all that is asked of this connection until our turn ends. */
export async function ask(client: pg.PoolClient, text: string, values: unknown[] = []): Promise<Answered> {
  const line = lineOf(client)
  line.next ??= leaveAtEndOfTurn(client, line)
  try {
    return await line.next.ask(statementOf(text), values)
  } catch (error) {
    // Where it was asked, instead of where the answer was read.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

function leaveAtEndOfTurn(client: pg.PoolClient, line: Line): RoundTrip {
  const trip = new RoundTrip(line.statements, () => line.underWay--)
  process.nextTick(() => {
    line.next = null
    line.underWay++
    line.watch?.refresh()
    client.query(trip as unknown as pg.Submittable)
  })
  return trip
}

/**
 * A network that has gone silent is noticed by whoever waits for an answer. One clock for each connection: one for each
 * statement costs more than sending it.
 */
export function watch(client: pg.PoolClient, ms: number) {
  const line = lineOf(client)
  const hangUp = () => line.underWay > 0 && streamOf(client)?.destroy(new Error('Query read timeout'))
  line.watch = setTimeout(hangUp, ms).unref()
}
