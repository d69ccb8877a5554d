import { statfs } from 'node:fs/promises'
import Type from 'typebox'
import { openCrm, repeatJob } from '../../actions/console/operator.ts'
import { retentionForAll, retentionsInForce } from '../../actions/scheduling/retention.ts'
import type { ConsoleCaller } from '../../callers.ts'
import { listFailedJobs, readDatabase, readQueue } from '../../db/base/jobs.ts'
import { readState } from '../../db/base/readiness.ts'
import { countMails } from '../../db/mail-counts.ts'
import { listCrms } from '../../db/setup/crms.ts'
import { notFound } from '../../errors.ts'
import { languages } from '../../languages.ts'
import { version } from '../../lib/root.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { Choice, Moment, Optional, Text } from '../wire/fields.ts'
import { answer, consoleRoute, noContent } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'

// For whoever runs the service. For others there is nothing here.

const about = { tag: 'Console' } as const

function refuseOthers({ role }: ConsoleCaller) {
  if (role !== 'operator') throw notFound('page', 'operator')
}

const Bytes = Type.Number({ description: 'In bytes.' })

const Status = Type.Object(
  {
    version: Type.String(),
    node: Type.String(),
    migration: Type.Integer({ description: 'The newest one that was applied.' }),
    database: Type.Object({
      version: Type.String(),
      bytes: Bytes,
      isEmbedded: Type.Boolean({ description: 'Run by the service itself.' }),
    }),
    disk: Nullable(
      Type.Object(
        { free: Bytes, total: Bytes },
        { description: 'Where the data of the embedded database is; null with another one.' },
      ),
    ),
    jobs: Type.Object({
      waiting: Type.Integer(),
      failed: Type.Integer({ description: 'Given up.' }),
      oldestSeconds: Type.Integer({ description: 'How long the oldest due job has waited.' }),
    }),
    mails: Type.Object(
      {
        hasServer: Type.Boolean({ description: 'False: mails are kept and can be read in the console.' }),
        failingSince: Nullable(Moment),
        queued: Type.Integer(),
        sent: Type.Integer(),
        failed: Type.Integer(),
        kept: Type.Integer(),
      },
      { description: 'Of today and the 30 days before.' },
    ),
    retention: Type.Object(
      {
        mailDays: Nullable(Type.Number()),
        customerMonths: Nullable(Type.Number()),
        crmsWithout: Type.Integer({
          description:
            'CRMs in which something is kept for ever, since neither they nor the operator set it.',
        }),
      },
      {
        description:
          'After how long the daily job forgets by itself, where a CRM has set nothing else; null: never.',
      },
    ),
  },
  { title: 'ServiceStatus' },
)

export const getOperator = consoleRoute({
  ...about,
  method: 'GET',
  path: '/console/api/operator',
  operationId: 'getServiceStatus',
  summary: 'How the service is doing',
  description: 'Versions, database, disk, jobs and mails. For operators.',
  replies: { 200: Status },
  errors: ['not-found'],
  async handle({ caller, service }) {
    refuseOthers(caller)
    const { db, config, health } = service
    const isEmbedded = config.databaseUrl === null
    const [state, queue, database, mails, retentions, disk] = await Promise.all([
      readState(db.probe),
      readQueue(db),
      readDatabase(db),
      countMails(db),
      retentionsInForce(service),
      isEmbedded ? diskOf(service) : null,
    ])
    const since = health.mailFailingSince
    return answer(200, {
      version,
      node: process.version,
      migration: state.fit.newest,
      database: { ...database, isEmbedded },
      disk,
      jobs: {
        waiting: queue.waiting,
        failed: queue.failed,
        oldestSeconds: Math.round(queue.oldestSeconds),
      },
      mails: {
        hasServer: config.smtpUrl !== null,
        failingSince: since === null ? null : toUtcText(since),
        ...mails,
      },
      retention: {
        ...retentionForAll(service),
        crmsWithout: retentions.filter(one => one.mailDays === null || one.customerMonths === null).length,
      },
    })
  },
})

async function diskOf({ config }: Service) {
  const found = await statfs(config.dataDir).catch(() => null)
  return found && { free: found.bavail * found.bsize, total: found.blocks * found.bsize }
}

const JobRecord = Type.Object(
  {
    id: Type.String(),
    task: Type.String(),
    attempts: Type.Integer(),
    isGivenUp: Type.Boolean(),
    error: Type.String(),
    nextRunAt: Nullable(Moment),
    createdAt: Moment,
  },
  { title: 'FailedJob' },
)

export const getJobs = consoleRoute({
  ...about,
  method: 'GET',
  path: '/console/api/jobs',
  operationId: 'listFailedJobs',
  summary: 'Jobs that failed',
  description: 'At least once, and are not done yet; those that were given up first. 100 at the most.',
  replies: { 200: Type.Object({ jobs: Type.Array(JobRecord) }) },
  errors: ['not-found'],
  async handle({ caller, service }) {
    refuseOthers(caller)
    const rows = await listFailedJobs(service.db, 100)
    const jobs = rows.map(({ id, task, attempts, most, error, runAt, createdAt }) => ({
      id,
      task,
      attempts,
      isGivenUp: attempts >= most,
      error,
      nextRunAt: attempts >= most ? null : toUtcText(runAt),
      createdAt: toUtcText(createdAt),
    }))
    return answer(200, { jobs })
  },
})

export const postJobRun = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/jobs/:jobId/run',
  operationId: 'runJobAgain',
  summary: 'Run a job again',
  description: 'At once, and with all its attempts.',
  replies: { 204: null },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    refuseOthers(caller)
    await repeatJob(service, params.jobId)
    return noContent()
  },
})

const CrmRecord = Type.Object(
  {
    name: Type.String(),
    language: Nullable(Choice([...languages])),
    providers: Type.Integer(),
    keys: Type.Integer({ description: 'Not revoked.' }),
  },
  { title: 'Crm' },
)

const CrmsReply = Type.Object({ crms: Type.Array(CrmRecord) }, { title: 'Crms' })

export const getCrms = consoleRoute({
  ...about,
  method: 'GET',
  path: '/console/api/crms',
  operationId: 'listCrms',
  summary: 'CRMs',
  description: 'All for an operator, their own for an administrator.',
  replies: { 200: CrmsReply },
  errors: ['not-found'],
  async handle({ caller, service }) {
    return answer(200, await crmsFor(service, caller))
  },
})

export const postCrm = consoleRoute({
  ...about,
  method: 'POST',
  path: '/console/api/crms',
  operationId: 'createCrm',
  summary: 'Make a CRM',
  description:
    'The tenant that an integrator works in. Its name is the {crmId} of the paths. A known name changes nothing.',
  body: Type.Object({ name: Text(255), language: Optional(Choice([...languages])) }, { title: 'CrmInput' }),
  replies: { 201: CrmsReply },
  errors: ['not-found'],
  async handle({ body, caller, service }) {
    refuseOthers(caller)
    await openCrm(service, body.name, body.language ?? null)
    return answer(201, await crmsFor(service, caller))
  },
})

async function crmsFor({ db }: Service, { role, crmId }: ConsoleCaller) {
  if (role === 'staff') throw notFound('CRM', 'of others')
  const crms = (await listCrms(db)).filter(one => role === 'operator' || one.id === crmId)
  return { crms: crms.map(({ name, language, providers, keys }) => ({ name, language, providers, keys })) }
}
