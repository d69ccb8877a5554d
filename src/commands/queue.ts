import { listFailedJobs, runJobAgain } from '../db/base/jobs.ts'
import { listMails } from '../db/mail-list.ts'
import { findMail, type MailRow, type MailState, mailStates, requeueMail } from '../db/mails.ts'
import { StartError } from '../lib/start-error.ts'
import { toUtcText } from '../rules/time/time.ts'
import { type Command, countOption, forMachines, say, table, withService } from './command.ts'

const listing = {
  options: { limit: { type: 'string' }, ...forMachines.options },
  help: { limit: 'at most so many (default: 50)', ...forMachines.help },
} as const

const jobsList: Command = {
  name: 'jobs list',
  summary: 'Lists jobs that failed and are not done, those that were given up first.',
  ...listing,
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const jobs = await listFailedJobs(db, countOption('limit', values.limit ?? 50, 1, 10_000))
      if (values.json) return say(JSON.stringify(jobs))
      if (jobs.length === 0) return say('No job has failed.')
      const rows = jobs.map(job => [job.id, job.task, `${job.attempts}/${job.most}`, oneLine(job.error)])
      say(table([['ID', 'TASK', 'ATTEMPTS', 'ERROR'], ...rows]))
    }),
}

const jobsRetry: Command = {
  name: 'jobs retry',
  summary: 'Runs a job that failed again, now and with all its attempts.',
  words: ['<id>'],
  ...forMachines,
  run: ({ words: [id = ''], values, config }) =>
    withService(config, async ({ db }) => {
      if (!/^\d{1,18}$/.test(id) || !(await runJobAgain(db, id)))
        throw new StartError(`There is no job ${id} that waits. See holdfast jobs list.`)
      say(values.json ? JSON.stringify({ id, again: true }) : 'It will run again.')
    }),
}

const mailsList: Command = {
  name: 'mails list',
  summary: 'Lists mails, the newest first.',
  options: { ...listing.options, state: { type: 'string' } },
  help: { ...listing.help, state: `only these: ${mailStates.join(', ')}` },
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const state = values.state as MailState | undefined
      if (state !== undefined && !mailStates.includes(state))
        throw new StartError(`--state must be one of ${mailStates.join(', ')}.`)
      const limit = countOption('limit', values.limit ?? 50, 1, 10_000)
      const mails = (await listMails(db, { providerIds: null, limit, ...(state ? { state } : {}) })).map(
        shown,
      )
      if (values.json) return say(JSON.stringify(mails))
      if (mails.length === 0) return say('There is no such mail.')
      const rows = mails.map(one => [
        one.uuid,
        one.state,
        one.kind,
        one.createdAt,
        oneLine(one.lastError ?? ''),
      ])
      say(table([['UUID', 'STATE', 'KIND', 'WRITTEN', 'ERROR'], ...rows]))
    }),
}

const mailsRetry: Command = {
  name: 'mails retry',
  summary: 'Sends a mail again, as if it were new.',
  words: ['<uuid>'],
  ...forMachines,
  run: ({ words: [uuid = ''], values, config }) =>
    withService(config, async ({ db }) => {
      const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)
      const mail = isUuid ? await findMail(db, uuid, null) : null
      if (!mail) throw new StartError(`There is no mail ${uuid}. See holdfast mails list.`)
      if (mail.recipient === null) throw new StartError('What it said was erased: it cannot be sent again.')
      await db.transaction(tx => requeueMail(tx, mail.id))
      say(values.json ? JSON.stringify({ uuid: mail.uuid, again: true }) : 'It will be sent again.')
    }),
}

export const queueCommands: Command[] = [jobsList, jobsRetry, mailsList, mailsRetry]

/** Without the address: what a terminal shows is kept in its history. */
const shown = ({ uuid, state, kind, attempts, lastError, createdAt }: MailRow) => ({
  uuid,
  state,
  kind,
  attempts,
  lastError,
  createdAt: toUtcText(createdAt),
})

const oneLine = (text: string) => text.split('\n')[0]!.slice(0, 100)
