import type { Duplex } from 'node:stream'
import type pg from 'pg'

/**
 * The socket of a connection: a private part of the driver, checked by a test. Without it everything works,
 * with more packets and slower closing on a silent network.
 */
export function streamOf(client: pg.PoolClient): Duplex | undefined {
  return (client as unknown as { connection?: { stream?: Duplex } }).connection?.stream
}
