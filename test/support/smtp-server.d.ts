// The package has no types; these are the parts that tests use.
declare module 'smtp-server' {
  import type { Server } from 'node:net'
  import type { Readable } from 'node:stream'

  export type Session = { id: string; envelope: { rcptTo: { address: string }[] } }
  export type Done = (error?: (Error & { responseCode?: number }) | null) => void

  export class SMTPServer {
    server: Server
    connections: Set<unknown>
    constructor(options: {
      authOptional?: boolean
      disabledCommands?: string[]
      disableReverseLookup?: boolean
      closeTimeout?: number
      onConnect?(session: Session, done: Done): void
      onRcptTo?(recipient: { address: string }, session: Session, done: Done): void
      onData?(stream: Readable, session: Session, done: Done): void
    })
    listen(port: number, host: string, listening: () => void): Server
    close(closed: () => void): void
    on(event: 'error', listener: (error: Error) => void): this
  }
}
