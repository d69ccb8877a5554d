import type pg from 'pg'
import { isOlderTimeline } from '../postgres-errors.ts'
import { Client, socketOf } from './session.ts'
import { Timelines } from './timelines.ts'

// DATABASE_URL may name several hosts, as in libpq: postgres://user@h1:5432,h2:5432/db. The driver knows one,
// so each connection goes to the host that worked last, and to the next one if that fails.

/** One address per host. Passwords may contain anything but a slash. */
export function addressesOf(url: string): string[] {
  const [_match, scheme = '', authority = '', rest = ''] = url.match(/^(\w+:\/\/)([^/?]*)(.*)$/s) ?? []
  const user = authority.slice(0, authority.lastIndexOf('@') + 1)
  const hosts = authority.slice(user.length).split(',')
  return hosts.length < 2 ? [url] : hosts.map(host => `${scheme}${user}${host}${rest}`)
}

const wantsPrimary = (url: string) => /[?&]target_session_attrs=(read-write|primary)\b/.test(url)

export type Hosts = {
  count: number
  /** For the pool: connects to the host whose turn it is. */
  Client: new () => pg.ClientBase
  /** Rejects a host that was replaced, and a read-only one if the address asks for a writable one. */
  check(client: pg.ClientBase): Promise<void>
  /** From now until the returned function is called, connections of this pool to a replaced host are ended. */
  guard(clients: Set<pg.PoolClient>): () => void
}

const known = new Map<string, Hosts>()

/** All pools of the process share what one of them learns about the hosts. */
export function hostsOf(url: string): Hosts {
  const hosts = known.get(url) ?? rotateHosts(url)
  known.set(url, hosts)
  return hosts
}

function rotateHosts(url: string): Hosts {
  const addresses = addressesOf(url)
  let turn = 0
  const failed = (address: string) => {
    if (address === addresses[turn % addresses.length]) turn++
  }

  const guarded = new Set<Set<pg.PoolClient>>()
  const timelines = new Timelines(addresses, isOlder => {
    for (const address of addresses) if (isOlder(address)) failed(address)
    for (const client of [...guarded].flatMap(clients => [...clients]))
      if (isOlder((client as unknown as HostClient).address))
        socketOf(client).destroy(new Error('Connection terminated: this host was replaced'))
  })

  class HostClient extends Client {
    readonly address: string

    constructor(config?: pg.ClientConfig) {
      const connectionString = addresses[turn % addresses.length]!
      super({ ...config, connectionString })
      this.address = connectionString
    }

    // The signature that the pool expects.
    override connect(done?: unknown): Promise<this & pg.Client> {
      const callback = done as (error?: Error) => void
      super.connect(((error?: Error) => {
        if (error) failed(this.address)
        // Beside a host that was replaced, that is the cause worth reporting, whichever host was tried last.
        callback(error && (timelines.refusal ?? error))
      }) as never)
      return Promise.resolve(this)
    }
  }

  return {
    count: addresses.length,
    Client: HostClient,
    async check(client) {
      await timelines.check(client).catch(error => {
        if (isOlderTimeline(error)) failed((client as HostClient).address)
        throw error
      })
      if (!wantsPrimary(url)) return
      const { rows } = await client.query('show transaction_read_only')
      if (rows[0].transaction_read_only === 'off') return
      failed((client as HostClient).address)
      throw Object.assign(new Error('This host is read-only.'), { code: '25006' })
    },
    guard(clients) {
      guarded.add(clients)
      timelines.start()
      return () => {
        guarded.delete(clients)
        if (guarded.size === 0) timelines.stop()
      }
    },
  }
}
