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
import { toSend } from './values.ts'

// What is asked in one turn travels together, with one Sync behind it: PostgreSQL is woken once and answers once, where it
// would write each answer by itself. The driver knows nothing of this: to it, a round trip is a query.

export type Answered = { rows: FoundRow[]; command: string }

type Asked = Answered & {
  statement: Statement
  prepared: PreparedOne | null
  resolve(answer: Answered): void
  reject(error: unknown): void
}

type Wire = { stream: Duplex }

// While it pipelines, the driver takes no other queries than its own kind. Their methods are not among its types.
const DriversQuery = pg.Query as unknown as new (config: object) => { submit(wire: Wire): null }

const noRows: Shape = { names: [], readers: [] }

export class RoundTrip extends DriversQuery {
  private readonly statements: PreparedStatements
  private readonly ended: () => void
  private readonly asked: Asked[] = []
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

  async ask(statement: Statement, values: unknown[]): Promise<Answered> {
    const sent = values.map(toSend)
    const prepared = this.statements.of(statement)
    const name = prepared?.name ?? ''
    const isKnown = prepared?.shape
    if (!isKnown) this.messages.push(serialize.parse({ name, text: statement.text }))
    this.messages.push(serialize.bind({ statement: name, values: sent }))
    if (!isKnown) this.messages.push(serialize.describe({ type: 'P' }))
    this.messages.push(serialize.execute())
    return new Promise((resolve, reject) => {
      this.asked.push({ statement, prepared, rows: [], command: '', resolve, reject })
    })
  }

  /** For whoever watches. */
  get texts(): string[] {
    return this.asked.map(({ statement }) => statement.text)
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
    const { prepared, rows } = this.asked[this.answered]!
    const shape = (prepared?.shape ?? this.shape)!
    try {
      // PostgreSQL refuses this, but behind a pooler there may be another connection, which has prepared it after a migration.
      if (shape.names.length !== fields.length)
        throw new Error('Connection terminated: it has other rows now')
      rows.push(readRow(shape, fields))
    } catch (error) {
      this.breakOff(error as Error)
    }
  }

  /** What else has arrived is still handed to us, and answers nobody. */
  private breakOff(error: Error) {
    this.broken ??= error
    this.hangUp(error)
  }

  handleCommandComplete({ text }: { text: string }) {
    const asked = this.asked[this.answered++]!
    asked.command = text
    if (asked.prepared) asked.prepared.shape ??= this.shape ?? noRows
    this.shape = null
  }

  /** Nobody is answered before: outside of a transaction, only now it is sure that what was done is written. */
  handleReadyForQuery() {
    if (this.broken) return this.fail(0, this.broken)
    for (const asked of this.asked) asked.resolve(asked)
    this.ended()
  }

  /** Whoever was answered before it has their answer; all behind it were passed over. */
  handleError(error: unknown) {
    if (this.broken) this.fail(0, this.broken)
    else this.fail(Math.min(this.answered, this.asked.length - 1), error)
  }

  private fail(first: number, error: unknown) {
    for (const [index, asked] of this.asked.entries()) {
      if (index < first) asked.resolve(asked)
      else asked.reject(error)
      if (asked.prepared && !asked.prepared.shape) this.statements.forget(asked.statement)
    }
    this.ended()
  }
}
