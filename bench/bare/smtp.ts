// A mail server that accepts everything, after a while if asked to, and stores nothing.

import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

process.once('message', ({ delayMs = 0 }: { delayMs?: number }) => {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      stream.on('data', () => {})
      stream.on('end', () => setTimeout(done, delayMs))
    },
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.server.address() as AddressInfo).port))
})
