import pg from 'pg'

// DATABASE_URL may name several hosts, as libpq takes them: postgres://user@h1:5432,h2:5432/db. The driver knows one, so
// each connection is made to the host that worked last, and the next one has its turn when that does not.

/** One address for each host. Passwords may hold anything but a slash. */
export function addressesOf(url: string): string[] {
  const [, scheme = '', authority = '', rest = ''] = url.match(/^(\w+:\/\/)([^/?]*)(.*)$/s) ?? []
  const user = authority.slice(0, authority.lastIndexOf('@') + 1)
  const hosts = authority.slice(user.length).split(',')
  return hosts.length < 2 ? [url] : hosts.map(host => `${scheme}${user}${host}${rest}`)
}

const wantsPrimary = (url: string) => /[?&]target_session_attrs=(read-write|primary)\b/.test(url)

export type Hosts = {
  count: number
  /** For the pool: makes each connection to the host whose turn it is. */
  Client: new () => pg.ClientBase
  /** Turns away from a host that cannot be written to, if that is wanted. */
  check(client: pg.ClientBase): Promise<void>
}

const known = new Map<string, Hosts>()

/** What one pool learns about the hosts, all pools of the process know. */
export function hostsOf(url: string): Hosts {
  const hosts = known.get(url) ?? takeTurns(url)
  known.set(url, hosts)
  return hosts
}

function takeTurns(url: string): Hosts {
  const addresses = addressesOf(url)
  let turn = 0
  const failed = (address: string) => {
    if (address === addresses[turn % addresses.length]) turn++
  }

  class HostClient extends pg.Client {
    readonly address: string

    constructor(config?: pg.ClientConfig) {
      const connectionString = addresses[turn % addresses.length]!
      super({ ...config, connectionString })
      this.address = connectionString
    }

    // As the pool calls it.
    override connect(done?: unknown): Promise<this & pg.Client> {
      const callback = done as (error?: Error) => void
      super.connect(((error?: Error) => {
        if (error) failed(this.address)
        callback(error)
      }) as never)
      return Promise.resolve(this)
    }
  }

  return {
    count: addresses.length,
    Client: HostClient,
    async check(client) {
      if (!wantsPrimary(url)) return
      const { rows } = await client.query('show transaction_read_only')
      if (rows[0].transaction_read_only === 'off') return
      failed((client as HostClient).address)
      throw Object.assign(new Error('This host is read-only.'), { code: '25006' })
    },
  }
}
