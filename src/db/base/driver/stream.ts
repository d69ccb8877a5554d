import type { Duplex } from 'node:stream'
import type pg from 'pg'

/**
 * The socket of a connection, TLS or not: a private part of the driver, and a test notices when it goes. Without it all
 * works, in more packets, and goodbyes to a silent network take longer.
 */
export function streamOf(client: pg.PoolClient): Duplex | undefined {
  return (client as unknown as { connection?: { stream?: Duplex } }).connection?.stream
}
