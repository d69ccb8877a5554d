import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The caller's id, so that both logs name the request alike; without characters that could garble a log. */
export function requestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID()
}
