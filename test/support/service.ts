// A separate service for each test file: a fresh database, the real app, a clock that tests can move.

import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { afterAll, inject, onTestFinished } from 'vitest'
import { issueKey } from '../../src/actions/setup/keys.ts'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { type Clock, openDb } from '../../src/db/base/pool.ts'
import { ensureCrm } from '../../src/db/setup/crms.ts'
import { keyScopes } from '../../src/db/setup/keys.ts'
import { checkHeldConnections } from '../../src/lib/held-connection-check.ts'
import { makeSigner } from '../../src/lib/signer.ts'
import type { Service } from '../../src/service.ts'
import { makeService } from '../../src/start/make-service.ts'
import { limitsOf } from '../../src/start/open-service.ts'
import { startWorker } from '../../src/start/worker.ts'
import { template } from './cluster.ts'

checkHeldConnections()

export const consoleToken = 'console-token-for-the-tests'

export type TestService = {
  app: FastifyInstance
  service: Service
  clock: Clock
  connection: pg.PoolConfig
  /** Calls groups A and B as the CRM `crm`, whose key it holds. */
  crm: Caller
  /** Another CRM with its own key. */
  otherCrm: Caller
  /** Rows of its database. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of many shapes
  query<Row extends object = any>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: responses of many shapes, whose errors are what tests look for
export type Answer = { status: number; body: any; headers: Record<string, unknown>; text: string }
export type CallOptions = {
  headers?: Record<string, string>
  /** With `updatedAt`, which most tests do not compare: it differs in every run. */
  whole?: boolean
}
export type Caller = {
  name: string
  key: string
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
}

/** The service of a test file, closed when its tests are done. `env` are settings as in the environment. */
export async function useService(env: Record<string, string> = {}): Promise<TestService> {
  const holdfast = await startTestService(env)
  afterAll(() => holdfast.close())
  return holdfast
}

/** One that the caller closes. */
export async function startTestService(env: Record<string, string> = {}): Promise<TestService> {
  const config = readConfig({
    LOG_LEVEL: 'silent',
    BASE_URL: 'http://holdfast.test',
    BOOTSTRAP_CONSOLE_TOKEN: consoleToken,
    ...env,
  })
  const connection = { ...(await cloneDatabase()), limits: limitsOf(config) }
  const clock: Clock = { shiftMs: 0 }
  const db = openDb(connection, clock)
  const signer = makeSigner(config.secretKey ?? 's'.repeat(32))
  const service = makeService({ config, db, signer, baseUrl: config.baseUrl! })
  service.passwordCost = { N: 2, r: 1, p: 1 }
  // Visitors read what they read with a mail server; tests read the emails in the database.
  service.sendsEmails = env.SMTP_URL !== ''
  const app = await buildApp(service)
  return {
    app,
    service,
    clock,
    connection,
    crm: await makeCrm(app, service, 'crm'),
    otherCrm: await makeCrm(app, service, 'other'),
    query: async <Row extends object>(text: string, values?: unknown[]) =>
      (await db.pool.query<Row>(text, values)).rows,
    async close() {
      await app.close()
      await db.close()
      await dropDatabase(connection.database!)
    },
  }
}

const withoutUpdatedAt = (name: string, value: unknown) =>
  name === 'updatedAt' && typeof value === 'string' ? undefined : value

/** Calls any address of the app, without any login. */
const visitorPage = /^\/(book|booked|move|cancel|accept|decline|verify|details|offer|waiting|confirm)\//

export async function call(
  app: FastifyInstance,
  method: string,
  url: string,
  body?: unknown,
  { headers = {}, whole = false }: CallOptions = {},
): Promise<Answer> {
  const raw = typeof body === 'string'
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: raw ? body : JSON.stringify(body) }),
  })
  // As browsers do: a form is answered with a redirect to a page.
  const next = String(response.headers.location ?? '')
  if (response.statusCode === 303 && visitorPage.test(next))
    return call(app, 'GET', next, undefined, { headers })
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
  return {
    status: response.statusCode,
    body:
      isJson && response.body !== '' ? JSON.parse(response.body, whole ? undefined : withoutUpdatedAt) : null,
    headers: response.headers,
    text: response.body,
  }
}

/** The console API with an operator's token. */
export function consoleCall(app: FastifyInstance, method: string, path: string, body?: unknown) {
  return call(app, method, `/console/api${path}`, body, {
    headers: { authorization: `Bearer ${consoleToken}` },
  })
}

/** Runs the job worker until the test ends. */
export function runJobs({ app, service, connection }: TestService) {
  const worker = startWorker(service, connection, app.log)
  onTestFinished(() => worker.stop())
  return worker
}

/** Once the jobs of everything that is committed are in the queue. */
export const jobsQueued = ({ service }: Pick<TestService, 'service'>) =>
  eventually(async () => (await service.db.pool.query('select from job_request limit 1')).rowCount === 0)

/** Retries until there is a result; fails after a few seconds. */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false>,
  seconds = 15,
): Promise<T> {
  const until = Date.now() + seconds * 1000
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > until) throw new Error('It did not happen in time.')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function makeCrm(app: FastifyInstance, service: Service, name: string): Promise<Caller> {
  const { id } = await ensureCrm(service.db, name, 'en')
  const { key } = await issueKey(service.db, id, { label: null, scopes: keyScopes, expiresAt: null })
  const as =
    (method: string) =>
    (path: string, body?: unknown, options: CallOptions = {}) =>
      call(app, method, `/crms/${name}${path}`, body, {
        ...options,
        headers: { 'x-service-client-id': key, ...options.headers },
      })
  const get = as('GET')
  return {
    name,
    key,
    get: async (path, options) => {
      if (path.startsWith('/events')) await othersCommitted(service)
      return get(path, undefined, options)
    },
    post: as('POST'),
    put: as('PUT'),
    patch: as('PATCH'),
    delete: as('DELETE'),
  }
}

export async function cloneDatabase(): Promise<pg.PoolConfig> {
  const postgres = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  // The default writes the whole copy to the write-ahead log, which takes several times as long.
  await asAdmin(`create database ${database} template ${template} strategy file_copy`)
  return { ...postgres, database, max: 10 }
}

async function dropDatabase(database: string) {
  await asAdmin(`drop database if exists ${database} with (force)`)
}

async function asAdmin(statement: string) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * The log waits for older transactions of all databases, and other test files share the cluster. One of this database may be the
 * hand-over of jobs that an earlier call requested.
 */
export async function othersCommitted({ db }: Service) {
  await db.jobs.running
  const open = async (): Promise<string[]> => {
    const { rows } = await db.pool.query(
      `select backend_xid::text as xid from pg_stat_activity where backend_xid is not null and datname <> current_database()`,
    )
    return rows.map(row => row.xid)
  }
  const before = await open()
  if (before.length > 0) await eventually(async () => !(await open()).some(xid => before.includes(xid)), 45)
}
