import type { Config } from '../config.ts'
import type { Head } from '../db/backup/format.ts'
import type { Loaded } from '../db/backup/load.ts'
import type { Connection } from '../db/base/driver/connection.ts'
import { StartError } from '../lib/start-error.ts'
import { type Command, say, table } from './command.ts'

const backup: Command = {
  name: 'backup',
  summary: 'Writes everything in the database to a file, as it is at one moment, while all goes on.',
  words: ['<file>'],
  options: { json: { type: 'boolean' } },
  help: { json: 'for machines' },
  run: ({ words: [file = ''], values, config }) =>
    withDatabase(config, async connection => {
      const { backUp } = await import('../start/backup.ts')
      const bytes = await backUp(connection, file)
      const key = config.secretKey ? 'SECRET_KEY' : `the file secret-key in ${config.dataDir}`
      if (file === '-') return
      if (values.json) return say(JSON.stringify({ file, bytes }))
      say(`Wrote ${file}, ${bytes} bytes. Keep ${key} too, at another place: it is not in there.`)
    }),
}

const restore: Command = {
  name: 'restore',
  summary: 'Fills an empty database with what a backup holds.',
  words: ['<file>'],
  options: { 'new-secret': { type: 'boolean' }, json: { type: 'boolean' } },
  help: {
    'new-secret': 'the former SECRET_KEY is lost: links in mails, logins and secrets of webhooks end',
    json: 'for machines',
  },
  async run({ words: [file = ''], values, config }) {
    const { openBackup, restore } = await import('../start/backup.ts')
    const reader = await openBackup(file)
    await refuseOtherSecret(reader.head, config, values['new-secret'] === true)
    await withDatabase(config, async connection => {
      const loaded = await restore(connection, reader)
      if (values.json) return say(JSON.stringify({ ...reader.head, ...contents(loaded) }))
      say(`Restored what was there ${ageOf(reader.head)}:\n${inventory(loaded)}`)
      say(skippedLine(loaded))
    })
  },
}

const verify: Command = {
  name: 'backup verify',
  summary: 'Restores a backup into a PostgreSQL that is thrown away, checks it, and says what is in it.',
  words: ['<file>'],
  options: { json: { type: 'boolean' } },
  help: { json: 'for machines' },
  async run({ words: [file = ''], values }) {
    const { inspect, openBackup } = await import('../start/backup.ts')
    const reader = await openBackup(file)
    const { head } = reader
    const { loaded, findings } = await inspect(reader)
    const isSound = findings.every(one => one.violations === 0)
    if (!isSound) process.exitCode = 1
    if (values.json) return say(JSON.stringify({ ...head, ...contents(loaded), findings, isSound }))
    say(`Written ${ageOf(head)} by Holdfast ${head.version}, migration ${head.migrations.at(-1)?.name}.`)
    say(`${inventory(loaded)}\n`)
    say(table(findings.map(one => [one.violations === 0 ? 'ok' : `WRONG (${one.violations})`, one.name])))
    say(isSound ? '\nThe backup is sound.' : '\nThe backup is NOT sound.')
  },
}

export const backupCommands: Command[] = [verify, backup, restore]

/** Whatever its migration: a backup before an update is the one that matters. */
async function withDatabase(config: Config, work: (connection: Connection) => Promise<void>) {
  const { openService } = await import('../start/open-service.ts')
  const opened = await openService(config, { log: () => {}, migrations: 'ignore' })
  try {
    await work(opened.connection)
  } finally {
    await opened.close()
  }
}

async function refuseOtherSecret({ secretFingerprint }: Head, config: Config, isLost: boolean) {
  const { fingerprint } = await import('../start/check-secret.ts')
  const { secretOf } = await import('../start/open-service.ts')
  if (secretFingerprint === null || isLost) return
  if (secretFingerprint === fingerprint(await secretOf(config))) return
  throw new StartError(
    `The SECRET_KEY is not the one that the backup was used with. Set the former one${config.databaseUrl ? '' : ` (or copy its file to ${config.dataDir}/secret-key)`}; if it is lost, add --new-secret: links in mails, logins and secrets of webhooks end then.`,
  )
}

const contents = ({ rows, queuedMails, skipped }: Loaded) => ({
  rows: Object.fromEntries(rows),
  queuedMails,
  skipped,
})

const nouns = { crm: 'CRMs', provider: 'Providers', resource: 'Resources', appointment: 'Appointments' }
const others = { participation: 'Participations', customer: 'Customers', mail: 'Mails', event: 'Events' }

function inventory({ rows, queuedMails }: Loaded): string {
  const counted = Object.entries({ ...nouns, ...others }).map(([name, noun]) => [
    `  ${noun}`,
    String(rows.get(name) ?? 0),
  ])
  return table([...counted, ['  Mails that wait', String(queuedMails)]])
}

function skippedLine({ skipped }: Loaded) {
  const left = skipped.length > 0 ? `Not ours, and left out: ${skipped.join(', ')}. ` : ''
  return `${left}Start holdfast serve: mails that waited then go out.`
}

function ageOf({ takenAt }: Head) {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(takenAt)) / 60_000))
  const age =
    minutes < 120
      ? `${minutes} minutes`
      : minutes < 2880
        ? `${Math.round(minutes / 60)} hours`
        : `${Math.round(minutes / 1440)} days`
  return `${age} ago (${takenAt})`
}
