import { Socket } from 'node:net'
import pg from 'pg'

/** A connection with a socket of ours, so that it can be closed at once and statements can share a packet. */
export class Client extends pg.Client {
  readonly socket: Socket

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
  }
}

export const socketOf = (client: pg.ClientBase): Socket => (client as Client).socket
