// A mail server that accepts everything and stores nothing.

import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

process.once('message', () => {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      stream.on('data', () => {})
      stream.on('end', done)
    },
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.server.address() as AddressInfo).port))
})
