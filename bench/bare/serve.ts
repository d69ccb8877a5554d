import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Waits for the input, makes the handler of it, listens, and tells the port. No framework: this is the limit. */
export function serveBare<Input>(
  makeHandler: (input: Input) => http.RequestListener | Promise<http.RequestListener>,
) {
  process.once('message', async (input: Input) => {
    const server = http.createServer(await makeHandler(input))
    server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  })
}
