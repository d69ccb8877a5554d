import { statfs } from 'node:fs/promises'
import Type from 'typebox'
import { openCrm, repeatJob } from '../../actions/console/operator.ts'
import { defaultRetention, effectiveRetentions } from '../../actions/scheduling/retention.ts'
import type { ConsoleCaller } from '../../callers.ts'
import { listFailedJobs, readDatabase, readQueue } from '../../db/base/jobs.ts'
import { readPause } from '../../db/base/outgoing-pause.ts'
import { readState } from '../../db/base/readiness.ts'
import { countMails } from '../../db/mail-counts.ts'
import { listCrms } from '../../db/setup/crms.ts'
import { languages } from '../../languages.ts'
import { version } from '../../lib/root.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { Choice, Moment, Optional, Text } from '../wire/fields.ts'
import { consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'

const Bytes = Type.Number({ description: 'In bytes.' })

const Status = Type.Object(
  {
    version: Type.String(),
    node: Type.String(),
    migration: Type.Integer({ description: 'Latest applied migration.' }),
    database: Type.Object({
      version: Type.String(),
      bytes: Bytes,
      isEmbedded: Type.Boolean({ description: 'The service runs its own PostgreSQL.' }),
    }),
    disk: Nullable(
      Type.Object(
        { free: Bytes, total: Bytes },
        { description: 'Data folder of the embedded database. Null with an external database.' },
      ),
    ),
    jobs: Type.Object({
      waiting: Type.Integer(),
      failed: Type.Integer({ description: 'Jobs that used up all their attempts.' }),
      oldestSeconds: Type.Integer({ description: 'Seconds for which the oldest due job has been waiting.' }),
    }),
    outgoing: Nullable(
      Type.Object(
        { paused: Type.String({ description: 'Reason for the pause.' }), since: Moment },
        {
          description:
            'Emails and webhooks are paused until the operator runs `holdfast resume`. Null if not paused.',
        },
      ),
    ),
    mails: Type.Object(
      {
        hasServer: Type.Boolean({ description: 'If false, emails are kept and can be read in the console.' }),
        failingSince: Nullable(Moment),
        queued: Type.Integer(),
        sent: Type.Integer(),
        failed: Type.Integer(),
        kept: Type.Integer(),
      },
      { description: 'Today and the last 30 days.' },
    ),
    retention: Type.Object(
      {
        mailDays: Nullable(Type.Number()),
        customerMonths: Nullable(Type.Number()),
        crmsWithout: Type.Integer({
          description:
            'CRMs that keep some data forever because neither they nor the operator set a retention period.',
        }),
      },
      {
        description: 'Default retention periods for CRMs that set none. Null to keep forever.',
      },
    ),
  },
  { title: 'ServiceStatus' },
)

export const getOperator = consoleRoute({
  method: 'GET',
  path: '/console/api/operator',
  operationId: 'getServiceStatus',
  access: { right: 'service', whose: 'login' },
  summary: 'Get the status of the service',
  description: 'Versions, database, disk, jobs and emails. For operators.',
  replies: { 200: Status },
  async handle({ service }) {
    const { db, config, health } = service
    const isEmbedded = config.databaseUrl === null
    const [state, pause, queue, database, mails, retentions, disk] = await Promise.all([
      readState(db.probe),
      readPause(db),
      readQueue(db),
      readDatabase(db),
      countMails(db),
      effectiveRetentions(service),
      isEmbedded ? diskOf(service) : null,
    ])
    const since = health.mailFailingSince
    return {
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
      outgoing: pause && { paused: pause.reason, since: toUtcText(pause.since) },
      mails: {
        hasServer: config.smtpUrl !== null,
        failingSince: since === null ? null : toUtcText(since),
        ...mails,
      },
      retention: {
        ...defaultRetention(service),
        crmsWithout: retentions.filter(one => one.mailDays === null || one.customerMonths === null).length,
      },
    }
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
  method: 'GET',
  path: '/console/api/jobs',
  operationId: 'listFailedJobs',
  access: { right: 'service', whose: 'login' },
  summary: 'List failed jobs',
  description:
    'Jobs that failed at least once and are not done. Jobs without attempts left come first. Up to 100.',
  replies: { 200: Type.Object({ jobs: Type.Array(JobRecord) }) },
  async handle({ service }) {
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
    return { jobs }
  },
})

export const postJobRun = consoleRoute({
  method: 'POST',
  path: '/console/api/jobs/:jobId/run',
  operationId: 'runJobAgain',
  access: { right: 'service', whose: 'login' },
  summary: 'Retry a job',
  description: 'Runs it immediately, with all its attempts.',
  replies: { 204: null },
  errors: ['not-found'],
  handle: ({ params, service }) => repeatJob(service, params.jobId),
})

const CrmRecord = Type.Object(
  {
    name: Type.String(),
    language: Nullable(Choice([...languages])),
    providers: Type.Integer(),
    keys: Type.Integer({ description: 'Keys that are not revoked.' }),
    isSuspended: Type.Boolean({ description: 'Bookings, API calls, emails and webhooks are on hold.' }),
    movedTo: Nullable(
      Type.String({ description: 'New address of a CRM that has moved. Empty if none was given.' }),
    ),
  },
  { title: 'Crm' },
)

const CrmsReply = Type.Object({ crms: Type.Array(CrmRecord) }, { title: 'Crms' })

const search = Type.Optional({ ...Text(200), description: 'Only those with words that begin like this.' })

export const getCrms = consoleRoute({
  method: 'GET',
  path: '/console/api/crms',
  operationId: 'listCrms',
  access: { right: 'crm', whose: 'login' },
  summary: 'CRMs',
  description:
    'Operators see all, administrators their own. Up to 1,000 by name: use `search` to find others.',
  query: { search },
  replies: { 200: CrmsReply },
  handle: ({ caller, query, service }) => crmsFor(service, caller, query.search),
})

export const postCrm = consoleRoute({
  method: 'POST',
  path: '/console/api/crms',
  operationId: 'createCrm',
  access: { right: 'service', whose: 'login' },
  summary: 'Create a CRM',
  description: 'A CRM is a tenant. Its name is the {crmId} in paths. Does nothing if the name exists.',
  body: Type.Object({ name: Text(255), language: Optional(Choice([...languages])) }, { title: 'CrmInput' }),
  replies: { 201: CrmsReply },
  async handle({ body, caller, service }) {
    await openCrm(service, body.name, body.language ?? null)
    return crmsFor(service, caller)
  },
})

const maxShown = 1000

async function crmsFor({ db }: Service, { crmId }: ConsoleCaller, text = '') {
  const crms = await listCrms(db, { id: crmId, search: text, limit: maxShown })
  return { crms: crms.map(({ id: _, ...crm }) => crm) }
}
