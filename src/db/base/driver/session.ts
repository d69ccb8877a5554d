import { Socket } from 'node:net'
import pg from 'pg'

/** Time limits for the database in seconds; 0 means no limit. */
export type Limits = { connect: number; statement: number; lock: number; idle: number }

// Our statements are short, and planning one takes ten times as long as running it, so plans are generic.
// None of them should read a whole table, so sequential scans, hash joins and merge joins are off: a plan
// made while a table is small stays when it has grown.
const planner = `
  set plan_cache_mode = force_generic_plan; set jit = off;
  set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;`

// A machine that vanishes without closing its connections keeps its locks until these limits end.
const keepalives = `
  set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;`

/** Runs on each new connection. Not sent as startup parameters, because poolers refuse unknown ones. */
export async function prepareSession(
  client: pg.ClientBase,
  { statement, lock, idle }: Limits,
  planned: boolean,
) {
  const limits = `set statement_timeout = '${statement}s'; set lock_timeout = '${lock}s';
    set idle_in_transaction_session_timeout = '${idle}s';`
  await client.query(`${limits}${keepalives}${planned ? planner : ''}`)
}

/** A connection with a socket of ours, so that it can be closed at once and statements can share a packet. */
export class Client extends pg.Client {
  readonly socket: Socket

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
  }
}

export const socketOf = (client: pg.ClientBase): Socket => (client as Client).socket
