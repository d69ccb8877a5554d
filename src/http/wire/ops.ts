import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { oldestWaitingJobSeconds } from '../../db/base/jobs.ts'
import { newestMigration } from '../../db/base/migrate.ts'
import type { Service } from '../../service.ts'
import { RequestMetrics } from './request-metrics.ts'

// For machines that watch the service: is it alive, can it work, how much does it do.

const tooOldSeconds = 300

export function addOpsRoutes(app: FastifyInstance, service: Service) {
  addHealth(app)
  addReadiness(app, service)
  addMetrics(app, service)
}

function addHealth(app: FastifyInstance) {
  app.get('/healthz', { schema: { tags: ['Operations'], summary: 'Is the process alive?' } }, async () => ({
    status: 'ok',
  }))
}

function addReadiness(app: FastifyInstance, { db }: Service) {
  const schema = {
    tags: ['Operations'],
    summary: 'Can it work?',
    description:
      'Database, migrations and the age of the job queue. 503 when it cannot work; `degraded` when jobs wait too long.',
  }
  app.get('/readyz', { schema }, async (_request, reply) => {
    try {
      const known = await newestMigration()
      const [row] = await db.query<{ newest: number }>(sql`select max(number) as newest from migration`)
      const waiting = await oldestWaitingJobSeconds(db)
      const migrated = row?.newest === known
      const status = !migrated ? 'migrating' : waiting > tooOldSeconds ? 'degraded' : 'ok'
      return reply
        .code(migrated ? 200 : 503)
        .send({ status, database: 'ok', migration: row?.newest ?? 0, oldestJobSeconds: Math.round(waiting) })
    } catch {
      return reply.code(503).header('retry-after', '2').send({ status: 'unavailable', database: 'away' })
    }
  })
}

function addMetrics(app: FastifyInstance, { db }: Service) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new RequestMetrics()
  new Gauge({
    name: 'holdfast_db_connections',
    help: 'Connections of the pool',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, db.pool.totalCount)
      this.set({ state: 'idle' }, db.pool.idleCount)
      this.set({ state: 'wanted' }, db.pool.waitingCount)
    },
  })

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.note(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  app.get(
    '/metrics',
    { schema: { tags: ['Operations'], summary: 'Prometheus metrics' } },
    async (_request, reply) =>
      reply.type(registry.contentType).send(`${requests.text()}\n${await registry.metrics()}`),
  )
}
