// DATABASE_URL with sslmode: a PostgreSQL that accepts only TLS, with a certificate from a private CA.

import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDb } from '../../src/db/base/pool.ts'
import { ensureCluster } from '../../src/db/embedded/cluster.ts'
import type { ClusterPlace } from '../../src/db/embedded/cluster-place.ts'
import { SUPERUSER } from '../../src/db/embedded/socket.ts'
import { askPostgres, newPlace, startPostgres } from '../support/postgres.ts'
import { run } from '../support/process.ts'

vi.setConfig({ testTimeout: 90_000 })

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const password = 'open-sesame-4711'

it.skipIf(!hasOpenssl)(
  'sslmode=require and verify-full encrypt and verify the server; no message contains the password',
  async () => {
    const place = await newPlace()
    await ensureCluster(place, { sync: false, log: () => {} })
    const { ca, strangers } = certificates(place)
    const { port } = await startPostgres(place, {
      ssl: 'on',
      ssl_cert_file: join(place.cluster, 'server.pem'),
      ssl_key_file: join(place.cluster, 'server.key'),
    })
    await askPostgres(port, `create role app login password '${password}'`)
    await askPostgres(port, 'create database app owner app')
    writeFileSync(
      join(place.cluster, 'pg_hba.conf'),
      `host all ${SUPERUSER} 127.0.0.1/32 trust\nhostssl all app 127.0.0.1/32 scram-sha-256\n`,
    )
    await askPostgres(port, 'select pg_reload_conf()')

    const at = (host: string, query: string) => `postgres://app:${password}@${host}:${port}/app?${query}`
    const migrate = (url: string) =>
      run(['migrate'], { DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32), DATABASE_WAIT_SECONDS: '0' })

    for (const mode of ['verify-full', 'require']) {
      const url = at('localhost', `sslmode=${mode}&sslrootcert=${ca}`)
      const db = openDb({ connectionString: url })
      onTestFinished(() => db.close())
      const { rows } = await db.pool.query(
        'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()',
      )
      expect(rows).toEqual([{ ssl: true, version: 'TLSv1.3' }])
    }
    expect((await migrate(at('localhost', `sslmode=verify-full&sslrootcert=${ca}`))).code).toBe(0)

    const refused: [string, RegExp][] = [
      // Signed by an unknown CA.
      [at('localhost', 'sslmode=verify-full'), /unable to (verify|get)|self-signed/],
      [at('localhost', `sslmode=verify-full&sslrootcert=${strangers}`), /unable to (verify|get)|self-signed/],
      [at('localhost', 'sslmode=require'), /unable to (verify|get)|self-signed/],
      // The certificate names localhost only.
      [at('127.0.0.1', `sslmode=verify-full&sslrootcert=${ca}`), /does not match certificate/],
      [at('localhost', `sslmode=verify-full&sslrootcert=${ca}-gone`), /sslrootcert|no such file/i],
      [at('localhost', ''), /no encryption/],
      [
        at('localhost', `sslmode=verify-full&sslrootcert=${ca}`).replace(password, 'wrong'),
        /password authentication/,
      ],
    ]
    const outcomes = await Promise.all(refused.map(([url]) => migrate(url)))
    for (const [index, { code, output }] of outcomes.entries()) {
      expect([code, output]).toEqual([1, expect.stringMatching(refused[index]![1])])
      expect(output).toMatch(/^Cannot use postgres:\/\/app:\*\*\*@/m)
      expect(output).not.toContain(password)
      expect(output).not.toMatch(/\n\s+at /)
    }
  },
)

/** A server certificate for localhost, its CA, and an unrelated CA. */
function certificates({ cluster, user }: ClusterPlace) {
  const file = (name: string) => join(cluster, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  for (const name of ['ca', 'strangers'])
    openssl(
      'req',
      '-x509',
      ...key,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      file(`${name}.key`),
      '-out',
      file(`${name}.pem`),
    )
  const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-addext', 'subjectAltName=DNS:localhost']
  openssl(
    'req',
    '-x509',
    ...key,
    '-subj',
    '/CN=database',
    ...signed,
    '-keyout',
    file('server.key'),
    '-out',
    file('server.pem'),
  )
  if (user) for (const name of ['server.key', 'server.pem']) chownSync(file(name), user.uid, user.gid)
  return { ca: file('ca.pem'), strangers: file('strangers.pem') }
}
