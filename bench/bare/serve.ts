import http from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Waits for the input, builds the handler from it, listens, and reports the port. No framework: this is the
 * lower bound.
 */
export function serveBare<Input>(
  makeHandler: (input: Input) => http.RequestListener | Promise<http.RequestListener>,
) {
  process.once('message', async (input: Input) => {
    const server = http.createServer(await makeHandler(input))
    server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  })
}
