import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The caller's, so that their log and ours speak of the same request; nothing that could garble either. */
export function requestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID()
}
