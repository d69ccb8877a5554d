import type { Config } from '../config.ts'
import type { Head } from '../db/backup/format.ts'
import type { Loaded } from '../db/backup/load.ts'
import type { Connection } from '../db/base/driver/connection.ts'
import { openDb } from '../db/base/pool.ts'
import { keepFingerprint } from '../db/base/secret-fingerprint.ts'
import { StartError } from '../lib/start-error.ts'
import { type Command, print, table } from './command.ts'

const backup: Command = {
  name: 'backup',
  summary: 'Writes a consistent backup of the whole database to a file, without stopping the service.',
  words: ['<file>'],
  options: { json: { type: 'boolean' } },
  help: { json: 'print JSON' },
  run: ({ words: [file = ''], values, config }) =>
    withDatabase(config, async connection => {
      const { backUp } = await import('../start/backup.ts')
      const bytes = await backUp(connection, file)
      const key = config.secretKey ? 'SECRET_KEY' : `the file secret-key in ${config.dataDir}`
      if (file === '-') return
      if (values.json) return print(JSON.stringify({ file, bytes }))
      print(
        `Wrote ${file}, ${bytes} bytes. Keep ${key} too, in another place: the backup does not contain it.`,
      )
    }),
}

const restore: Command = {
  name: 'restore',
  summary: 'Restores a backup into an empty database.',
  words: ['<file>'],
  options: { 'new-secret': { type: 'boolean' }, json: { type: 'boolean' } },
  help: {
    'new-secret': 'the old SECRET_KEY is lost: links in emails, logins and webhook secrets stop working',
    json: 'print JSON',
  },
  async run({ words: [file = ''], values, config }) {
    const { openBackup, restore } = await import('../start/backup.ts')
    const reader = await openBackup(file)
    await refuseOtherSecret(reader.head, config, values['new-secret'] === true)
    await withDatabase(
      config,
      async connection => {
        const loaded = await restore(connection, reader)
        if (!values['new-secret']) await keepKeysOf(reader.head, connection)
        if (values.json) return print(JSON.stringify({ ...reader.head, ...contents(loaded) }))
        print(`Restored the state of ${ageOf(reader.head)}:\n${inventory(loaded)}`)
        print(skippedLine(loaded))
        print(
          'Emails and webhooks are paused, so that a rehearsal reaches no customers. To send them: holdfast resume',
        )
      },
      true,
    )
  },
}

const verify: Command = {
  name: 'backup verify',
  summary: 'Restores a backup into a temporary PostgreSQL, checks it, and prints what it contains.',
  words: ['<file>'],
  options: { json: { type: 'boolean' } },
  help: { json: 'print JSON' },
  async run({ words: [file = ''], values }) {
    const { inspect, openBackup } = await import('../start/backup.ts')
    const reader = await openBackup(file)
    const { head } = reader
    const { loaded, findings } = await inspect(reader)
    const isSound = findings.every(one => one.violations === 0)
    if (!isSound) process.exitCode = 1
    if (values.json) return print(JSON.stringify({ ...head, ...contents(loaded), findings, isSound }))
    print(`Written ${ageOf(head)} by Holdfast ${head.version}, migration ${head.migrations.at(-1)?.name}.`)
    print(`${inventory(loaded)}\n`)
    print(table(findings.map(one => [one.violations === 0 ? 'ok' : `WRONG (${one.violations})`, one.name])))
    print(isSound ? '\nThe backup is valid.' : '\nThe backup is NOT valid.')
  },
}

export const backupCommands: Command[] = [verify, backup, restore]

/** Accepts any migration: the backup taken before an update is the one that matters. */
async function withDatabase(
  config: Config,
  work: (connection: Connection) => Promise<void>,
  mayCreate = false,
) {
  const { openService } = await import('../start/open-service.ts')
  const opened = await openService(config, { log: () => {}, migrations: 'ignore', mayCreate })
  try {
    await work(opened.connection)
  } finally {
    await opened.close()
  }
}

async function refuseOtherSecret(head: Head, config: Config, isLost: boolean) {
  const { fingerprintsOf } = await import('../start/check-secret.ts')
  const { secretOf } = await import('../start/open-service.ts')
  if (isLost) return
  const given = fingerprintsOf({ current: await secretOf(config), previous: config.secretKeyPrevious })
  const needed = [head.secretFingerprint, head.secretStillNeeded ?? null].filter(one => one !== null)
  if (needed.every(one => given.includes(one))) return
  throw new StartError(
    `The SECRET_KEY is not the one the backup was made with. Set the old one, or set it as SECRET_KEY_PREVIOUS beside the new one${config.databaseUrl ? '' : ` (or copy its file to ${config.dataDir}/secret-key)`}; if it is lost, add --new-secret: links in emails, logins and webhook secrets then stop working.`,
  )
}

/** The next start then checks its keys as it would have done on the original database. */
async function keepKeysOf({ secretFingerprint, secretStillNeeded }: Head, connection: Connection) {
  if (secretFingerprint === null) return
  const db = openDb(connection)
  try {
    await keepFingerprint(db, secretFingerprint, secretStillNeeded ?? null)
  } finally {
    await db.close()
  }
}

const contents = ({ rows, queuedMails, skipped }: Loaded) => ({
  rows: Object.fromEntries(rows),
  queuedMails,
  skipped,
})

const nouns = { crm: 'CRMs', provider: 'Providers', resource: 'Resources', appointment: 'Appointments' }
const others = { participation: 'Participations', customer: 'Customers', mail: 'Emails', event: 'Events' }

function inventory({ rows, queuedMails }: Loaded): string {
  const counted = Object.entries({ ...nouns, ...others }).map(([name, noun]) => [
    `  ${noun}`,
    String(rows.get(name) ?? 0),
  ])
  return table([...counted, ['  Waiting emails', String(queuedMails)]])
}

function skippedLine({ skipped }: Loaded) {
  const left =
    skipped.length > 0 ? `Skipped tables that are not part of Holdfast: ${skipped.join(', ')}. ` : ''
  return `${left}Next: holdfast serve.`
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
