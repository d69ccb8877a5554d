// HTTP as bytes: what is on the wire, not what a client makes of it.

import { connect } from 'node:net'

const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

const isLast = (bytes: string) => /^connection:.*close/im.test(bytes)

/**
 * Sends these bytes and returns everything received until the server closes the connection. A last request asks for that
 * if none of the bytes do.
 */
export function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const read: Buffer[] = []
    socket.on('data', data => read.push(data as Buffer))
    // Never write to a closing connection: data still in flight to us would be lost.
    socket.once('data', data => isLast(bytes) || isLast(data.toString('latin1')) || socket.write(last))
    socket.once('error', reject)
    socket.once('close', () => resolve(Buffer.concat(read).toString('latin1')))
  })
}

export type Head = { method?: string; version?: string; headers?: [string, string][]; body?: string }

/** The bytes of a request. Headers as a list: some of them may come twice. */
export const requestBytes = (
  path: string,
  { method = 'GET', version = '1.1', headers = [], body = '' }: Head = {},
) => [`${method} ${path} HTTP/${version}`, ...headers.map(header => header.join(': ')), '', body].join('\r\n')

/** Without the two headers that always differ: the date and the request id. */
export const withoutChance = (bytes: string) =>
  bytes
    .replaceAll(/^Date: .*\r\n/gm, 'Date: (now)\r\n')
    .replaceAll(/^(x-request-id: )[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\r\n/gm, '$1(ours)\r\n')
