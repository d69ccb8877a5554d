import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { oldestWaitingJobSeconds } from '../../db/base/jobs.ts'
import { type Fit, readFit } from '../../db/base/schema-version.ts'
import type { Service } from '../../service.ts'
import { RequestMetrics } from './request-metrics.ts'

// For machines that watch the service: is it alive, can it work, how much does it do.

const tooOldSeconds = 300

// A newer schema beside which this program still works is as good as its own.
const misfits: Partial<Record<Fit['kind'], string>> = {
  behind: 'migrating',
  'too new': 'outdated',
  changed: 'outdated',
}

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
      const fit = await readFit(db.pool)
      const waiting = await oldestWaitingJobSeconds(db)
      const status = misfits[fit.kind] ?? (waiting > tooOldSeconds ? 'degraded' : 'ok')
      return reply
        .code(fit.kind === 'current' ? 200 : 503)
        .send({ status, database: 'ok', migration: fit.newest, oldestJobSeconds: Math.round(waiting) })
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
