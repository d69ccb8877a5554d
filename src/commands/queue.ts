import { listFailedJobs, removeJob, runJobAgain } from '../db/base/jobs.ts'
import { listMails } from '../db/mail-list.ts'
import { findMail, type MailRow, type MailState, mailStates, requeueMail } from '../db/mails.ts'
import { StartError } from '../lib/start-error.ts'
import { messageKinds } from '../rules/messages/messages.ts'
import { toUtcText } from '../rules/time/time.ts'
import { type Command, countOption, jsonOption, print, table, withService } from './command.ts'

const listing = {
  options: { limit: { type: 'string' }, ...jsonOption.options },
  help: { limit: 'maximum number of rows (default: 50)', ...jsonOption.help },
} as const

const jobsList: Command = {
  name: 'jobs list',
  summary: 'Lists failed jobs that are not done. Jobs without attempts left come first.',
  ...listing,
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const jobs = await listFailedJobs(db, countOption('limit', values.limit ?? 50, 1, 10_000))
      if (values.json) return print(JSON.stringify(jobs))
      if (jobs.length === 0) return print('No job has failed.')
      const rows = jobs.map(job => [job.id, job.task, `${job.attempts}/${job.most}`, oneLine(job.error)])
      print(table([['ID', 'TASK', 'ATTEMPTS', 'ERROR'], ...rows]))
    }),
}

const jobsRetry: Command = {
  name: 'jobs retry',
  summary: 'Retries a failed job now, with all its attempts.',
  words: ['<id>'],
  ...jsonOption,
  run: ({ words: [id = ''], values, config }) =>
    withService(config, async ({ db }) => {
      if (!/^\d{1,18}$/.test(id) || !(await runJobAgain(db, id)))
        throw new StartError(`There is no waiting job ${id}. See holdfast jobs list.`)
      print(values.json ? JSON.stringify({ id, again: true }) : 'The job will run again.')
    }),
}

const jobsRemove: Command = {
  name: 'jobs remove',
  summary: 'Deletes a job, for example of a kind that no version runs any more.',
  words: ['<id>'],
  ...jsonOption,
  run: ({ words: [id = ''], values, config }) =>
    withService(config, async ({ db }) => {
      const outcome = /^\d{1,18}$/.test(id) ? await removeJob(db, id) : 'not found'
      if (outcome === 'has emails')
        throw new StartError(`Job ${id} has unsent emails. Send them: holdfast jobs retry ${id}`)
      if (outcome === 'not found')
        throw new StartError(`There is no job ${id} that can be removed. See holdfast jobs list.`)
      print(values.json ? JSON.stringify({ id, removed: true }) : 'Removed.')
    }),
}

const mailsList: Command = {
  name: 'mails list',
  summary: 'Lists emails, newest first.',
  options: {
    ...listing.options,
    state: { type: 'string' },
    kind: { type: 'string' },
    to: { type: 'string' },
  },
  help: {
    ...listing.help,
    state: `only these: ${mailStates.join(', ')}`,
    kind: `only these: ${messageKinds.join(', ')}`,
    to: 'only emails to this address',
  },
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const state = values.state as MailState | undefined
      if (state !== undefined && !mailStates.includes(state))
        throw new StartError(`--state must be one of ${mailStates.join(', ')}.`)
      const kind = values.kind as string | undefined
      if (kind !== undefined && !(messageKinds as string[]).includes(kind))
        throw new StartError(`--kind must be one of ${messageKinds.join(', ')}.`)
      const limit = countOption('limit', values.limit ?? 50, 1, 10_000)
      const filter = {
        ...(state ? { state } : {}),
        ...(kind ? { kind } : {}),
        ...(values.to === undefined ? {} : { to: String(values.to) }),
      }
      const mails = (await listMails(db, { providerIds: null, limit, ...filter })).map(shown)
      if (values.json) return print(JSON.stringify(mails))
      if (mails.length === 0) return print('No emails found.')
      const rows = mails.map(one => [
        one.uuid,
        one.state,
        one.kind,
        one.createdAt,
        oneLine(one.lastError ?? ''),
      ])
      print(table([['UUID', 'STATE', 'KIND', 'WRITTEN', 'ERROR'], ...rows]))
    }),
}

const mailsRetry: Command = {
  name: 'mails retry',
  summary: 'Sends an email again, as if it were new.',
  words: ['<uuid>'],
  ...jsonOption,
  run: ({ words: [uuid = ''], values, config }) =>
    withService(config, async ({ db }) => {
      const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)
      const mail = isUuid ? await findMail(db, uuid) : null
      if (!mail) throw new StartError(`There is no email ${uuid}. See holdfast mails list.`)
      if (mail.recipient === null)
        throw new StartError('The content of this email was erased: it cannot be sent again.')
      await db.transaction(tx => requeueMail(tx, mail.id))
      print(values.json ? JSON.stringify({ uuid: mail.uuid, again: true }) : 'The email will be sent again.')
    }),
}

export const queueCommands: Command[] = [jobsList, jobsRetry, jobsRemove, mailsList, mailsRetry]

/** Without the address: terminals keep a history of their output. */
const shown = ({ uuid, state, kind, attempts, lastError, createdAt }: MailRow) => ({
  uuid,
  state,
  kind,
  attempts,
  lastError,
  createdAt: toUtcText(createdAt),
})

const oneLine = (text: string) => text.split('\n')[0]!.slice(0, 100)
