import type { Duplex } from 'node:stream'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import {
  type FoundRow,
  type PreparedOne,
  type PreparedStatements,
  readRow,
  type Shape,
  type Statement,
  shapeOf,
} from './prepared.ts'
import { encodeValue } from './values.ts'

// Sends all statements of one turn together with a single Sync, so that PostgreSQL wakes and answers once. To
// the driver, a round trip is one query.

export type StatementResult = { rows: FoundRow[]; command: string }

type SentStatement = StatementResult & {
  statement: Statement
  prepared: PreparedOne | null
  resolve(answer: StatementResult): void
  reject(error: unknown): void
}

type Wire = { stream: Duplex }

// While pipelining, the driver accepts only its own query class, whose methods are not in its types.
const DriversQuery = pg.Query as unknown as new (config: object) => { submit(wire: Wire): null }

const noRows: Shape = { names: [], readers: [] }

export class RoundTrip extends DriversQuery {
  private readonly statements: PreparedStatements
  private readonly ended: () => void
  private readonly sent: SentStatement[] = []
  private readonly messages: Buffer[] = []
  private answered = 0
  private shape: Shape | null = null
  private broken: Error | null = null
  private hangUp = (_error: Error) => {}

  constructor(statements: PreparedStatements, ended: () => void) {
    super({})
    this.statements = statements
    this.ended = ended
  }

  async ask(statement: Statement, values: unknown[]): Promise<StatementResult> {
    const sent = values.map(encodeValue)
    const prepared = this.statements.of(statement)
    const name = prepared?.name ?? ''
    const isKnown = prepared?.shape
    if (!isKnown) this.messages.push(serialize.parse({ name, text: statement.text }))
    this.messages.push(serialize.bind({ statement: name, values: sent }))
    if (!isKnown) this.messages.push(serialize.describe({ type: 'P' }))
    this.messages.push(serialize.execute())
    return new Promise((resolve, reject) => {
      this.sent.push({ statement, prepared, rows: [], command: '', resolve, reject })
    })
  }

  /** For traces. */
  get texts(): string[] {
    return this.sent.map(({ statement }) => statement.text)
  }

  override submit({ stream }: Wire) {
    this.messages.push(serialize.sync())
    this.hangUp = error => stream.destroy(error)
    if (stream.writable) stream.write(Buffer.concat(this.messages))
    return null
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }) {
    this.shape = shapeOf(fields)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
    const { prepared, rows } = this.sent[this.answered]!
    const shape = (prepared?.shape ?? this.shape)!
    try {
      // PostgreSQL refuses this itself, but behind a pooler another connection may have prepared the
      // statement after a migration.
      if (shape.names.length !== fields.length)
        throw new Error('Connection terminated: it has other rows now')
      rows.push(readRow(shape, fields))
    } catch (error) {
      this.breakOff(error as Error)
    }
  }

  /** Later messages of the batch still arrive and are ignored. */
  private breakOff(error: Error) {
    this.broken ??= error
    this.hangUp(error)
  }

  handleCommandComplete({ text }: { text: string }) {
    const statement = this.sent[this.answered++]!
    statement.command = text
    if (statement.prepared) statement.prepared.shape ??= this.shape ?? noRows
    this.shape = null
  }

  /** Resolve only on ReadyForQuery: outside a transaction the write is not durable before that. */
  handleReadyForQuery() {
    if (this.broken) return this.fail(0, this.broken)
    for (const statement of this.sent) statement.resolve(statement)
    this.ended()
  }

  /** Statements before the error have their results; those after it were skipped. */
  handleError(error: unknown) {
    if (this.broken) this.fail(0, this.broken)
    else this.fail(Math.min(this.answered, this.sent.length - 1), error)
  }

  private fail(first: number, error: unknown) {
    for (const [index, statement] of this.sent.entries()) {
      if (index < first) statement.resolve(statement)
      else statement.reject(error)
      if (statement.prepared && !statement.prepared.shape) this.statements.forget(statement.statement)
    }
    this.ended()
  }
}
