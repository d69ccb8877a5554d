// A real Patroni pair with etcd and HAProxy from Debian packages, with the shipped files and other ports.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { packagePath } from '../../src/lib/root.ts'
import { freePort } from '../support/process.ts'
import { eventually } from '../support/service.ts'

const bin = '/usr/lib/postgresql/15/bin'
const tools: [string, string[]][] = [
  ['patroni', ['--version']],
  ['etcd', ['--version']],
  ['haproxy', ['-v']],
  [`${bin}/postgres`, ['--version']],
]

// This etcd version has no official arm64 release, but works there.
const env = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch }

/** The first missing tool, or null. PostgreSQL refuses to run as root, so its user is required too. */
export function missingTool(): string | null {
  if (process.getuid?.() !== 0) return 'root'
  if (spawnSync('id', ['postgres']).status !== 0) return 'user postgres'
  return tools.find(([name, args]) => spawnSync(name, args, { env }).status !== 0)?.[0] ?? null
}

/**
 * A primary that restarts drops its standby from the synchronous ones some loops later, and without one Patroni
 * promotes no standby. So the standby must have been there for several loops.
 */
const settledMs = 5_000

type Ports = { postgres: string; rest: string }

export class PatroniNode {
  readonly name: string
  readonly ports: Ports
  readonly #folder: string
  readonly #config: string
  readonly #log: string
  #patroni: ChildProcess | null = null

  constructor(name: string, folder: string, ports: Ports, config: string) {
    this.name = name
    this.ports = ports
    this.#folder = join(folder, name)
    this.#config = join(folder, `${name}.yml`)
    this.#log = join(folder, `${name}.log`)
    writeFileSync(this.#config, config.replace('/var/lib/postgresql/15/holdfast', this.#folder))
  }

  start() {
    const log = openSync(this.#log, 'a')
    this.#patroni = spawn('patroni', [this.#config], { ...asPostgres(), stdio: ['ignore', log, log] })
    closeSync(log)
  }

  /** What Patroni and PostgreSQL said last: the cluster decides when it recovers, and only they say why. */
  lastLines(count: number): string {
    const lines = readFileSync(this.#log, 'utf8').trimEnd().split('\n')
    return [`${this.name}:`, ...lines.slice(-count)].join('\n')
  }

  /**
   * Patroni before 3.1 can keep an outdated copy of etcd's keys after it stood still. It then never names a
   * synchronous standby again until it is restarted (patroni/patroni#2779).
   */
  hasOutdatedKeys(): boolean {
    const complaints = this.lastLines(60).match(/Synchronous replication key updated by someone else/g)
    return (complaints?.length ?? 0) > 12
  }

  /** What the guard of docs/operations.md does; systemd starts Patroni again, and PostgreSQL keeps running. */
  restartPatroni() {
    this.killPatroni()
    writeFileSync(this.#log, '')
    this.start()
  }

  killPatroni() {
    this.#patroni?.kill('SIGKILL')
  }

  killPostgres() {
    process.kill(this.postmaster()!, 'SIGKILL')
  }

  /** Signals all processes of this machine, as if it were suspended. */
  signalAll(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') {
    const postmaster = this.postmaster()
    for (const pid of [this.#patroni?.pid, ...(postmaster ? [postmaster, ...childrenOf(postmaster)] : [])])
      if (pid) signalQuietly(pid, signal)
  }

  postmaster(): number | null {
    try {
      return Number(readFileSync(join(this.#folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    } catch {
      return null
    }
  }

  async isPrimary(): Promise<boolean> {
    return (await this.#ask('primary')) !== null
  }

  /**
   * Whether there is a standby that Patroni would promote, according to the current members of the cluster.
   * Null if Patroni does not answer in time: on a busy machine that says nothing about the standby.
   */
  async hasStandby(): Promise<boolean | null> {
    const cluster = (await this.#ask('cluster')) as { members: { role: string; state: string }[] } | null
    if (!cluster) return null
    return cluster.members.some(
      ({ role, state }) => role === 'sync_standby' && ['running', 'streaming'].includes(state),
    )
  }

  #ask(path: string): Promise<object | null> {
    return fetch(`http://127.0.0.1:${this.ports.rest}/${path}`, { signal: AbortSignal.timeout(2_000) }).then(
      async answer => (answer.ok ? ((await answer.json()) as object) : null),
      () => null,
    )
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {}
}

const childrenOf = (pid: number) =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .map(Number)
    .filter(Boolean)

const asPostgres = () => {
  const [uid, gid] = ['-u', '-g'].map(flag =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  )
  return { uid: uid!, gid: gid!, env: { ...env, HOME: tmpdir() } }
}

export type PatroniPair = {
  url: string
  nodes: PatroniNode[]
  primary(): Promise<PatroniNode | null>
  settled(): Promise<unknown>
}

export async function startPatroniPair(): Promise<PatroniPair> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-patroni-'))
  const { uid, gid } = asPostgres()
  chownSync(folder, uid, gid)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const etcd = await startEtcd(join(folder, 'etcd'))
  const nodes = await Promise.all(
    ['db1', 'db2'].map(async name => {
      const ports = { postgres: await freePort(), rest: await freePort() }
      return new PatroniNode(name, folder, ports, patroniConfig(name, ports, etcd))
    }),
  )
  onTestFinished(() => {
    for (const node of nodes) node.signalAll('SIGKILL')
  })
  // First, because HAProxy treats hosts as healthy until its first check.
  const port = await startBalancer(folder, nodes)
  for (const node of nodes) node.start()
  const primary = async () => {
    for (const node of nodes) if (await node.isPrimary()) return node
    return null
  }
  const settled = () => {
    let since: number | null = null
    return eventually(async () => {
      const leader = await primary()
      if (leader?.hasOutdatedKeys()) {
        console.log(`${leader.name}: Patroni is restarted because its copy of etcd's keys is outdated`)
        leader.restartPatroni()
      }
      const found = await leader?.hasStandby()
      if (found === true) since ??= Date.now()
      if (found === false) since = null
      return since !== null && Date.now() - since > settledMs
    }, 150)
  }
  await settled()
  await eventually(
    async () => spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', port]).status === 0,
    30,
  )
  const psql = (statement: string, ...more: string[]) =>
    execFileSync(join(bin, 'psql'), [
      `postgres://postgres:change-me-1@127.0.0.1:${port}/postgres`,
      '-c',
      statement,
      ...more,
    ])
  psql("create role holdfast login password 'secret'")
  psql('create database holdfast owner holdfast')
  return { url: `postgres://holdfast:secret@127.0.0.1:${port}/holdfast`, nodes, primary, settled }
}

async function startEtcd(folder: string): Promise<string> {
  mkdirSync(folder, { mode: 0o700 })
  const [client, peer] = [await freePort(), await freePort()].map(port => `http://127.0.0.1:${port}`) as [
    string,
    string,
  ]
  const child = spawn(
    'etcd',
    [
      `--data-dir=${folder}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ],
    { stdio: 'ignore', env },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  await eventually(
    () =>
      fetch(`${client}/health`).then(
        answer => answer.ok,
        () => false,
      ),
    30,
  )
  return new URL(client).host
}

/** The shipped file with shorter times, and without a watchdog device. */
function patroniConfig(name: string, { postgres, rest }: Ports, etcd: string): string {
  return readFileSync(packagePath('deploy/ha/patroni.yml'), 'utf8')
    .replace('name: db1', `name: ${name}`)
    .replace(
      "listen: '0.0.0.0:8008', connect_address: 'db1:8008'",
      `listen: '127.0.0.1:${rest}', connect_address: '127.0.0.1:${rest}'`,
    )
    .replace("['db1:2379', 'db2:2379', 'db3:2379']", `['${etcd}']`)
    .replace("listen: '0.0.0.0:5432'", `listen: '127.0.0.1:${postgres}'`)
    .replace(
      "connect_address: 'db1:5432'",
      `connect_address: '127.0.0.1:${postgres}'\n  parameters: { unix_socket_directories: '${tmpdir()}' }`,
    )
    .replace('local all all peer', 'local all all trust')
    .replaceAll('samenet', '127.0.0.1/32')
    .replace('ttl: 30', 'ttl: 15')
    .replace('loop_wait: 10', 'loop_wait: 1')
    .replace('retry_timeout: 10', 'retry_timeout: 5')
    .replace('mode: required', "mode: 'off'")
}

async function startBalancer(folder: string, nodes: PatroniNode[]): Promise<string> {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const text = readFileSync(packagePath('deploy/ha/haproxy-postgres.cfg'), 'utf8')
  const servers = nodes.map(
    ({ name, ports }) => `  server ${name} 127.0.0.1:${ports.postgres} check port ${ports.rest}`,
  )
  writeFileSync(
    file,
    `${text
      .replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`)
      .replace(/^ {2}server .*\n/gm, '')
      .replace('check port 8008 ', '')}${servers.join('\n')}\n`,
  )
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return port
}
