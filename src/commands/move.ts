import { readFile } from 'node:fs/promises'
import { type Connection, openDb } from '../db/base/pool.ts'
import { mustBeMigrated } from '../db/base/schema-version.ts'
import { readFingerprint } from '../db/base/secret-fingerprint.ts'
import { findCrm } from '../db/setup/crms.ts'
import { makeSigner } from '../lib/signer.ts'
import { StartError } from '../lib/start-error.ts'
import { withoutPassword } from '../start/connect-database.ts'
import { type Command, print, sayAddresses } from './command.ts'

const usualPause = 5

export const crmMove: Command = {
  name: 'crm move',
  summary:
    'Moves a CRM to another installation while it is in use. Run it again after an interruption to continue.',
  words: ['<crm>'],
  options: {
    to: { type: 'string' },
    'secret-file': { type: 'string' },
    address: { type: 'string' },
    pause: { type: 'string' },
    cancel: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  help: {
    to: 'DATABASE_URL of the other installation',
    'secret-file': 'file with its SECRET_KEY (default: the same as here)',
    address: 'its BASE_URL: requests for the CRM are redirected there (default: 410)',
    pause: `maximum time for which the CRM may be closed, in seconds (default: ${usualPause})`,
    cancel: 'cancel a move that is in progress',
    json: 'print JSON',
  },
  async run({ words: [name = ''], values, config }) {
    const [{ openService, secretOf, limitsOf }, { cancelMove, moveTenant }] = await Promise.all([
      import('../start/open-service.ts'),
      import('../start/move-tenant.ts'),
    ])
    const { service, connection, close } = await openService(config, { log: () => {}, migrations: 'expect' })
    try {
      const crm = await findCrm(service.db, name)
      if (!crm) throw new StartError(`There is no CRM ${name}. See holdfast crm list.`)
      if (values.cancel) {
        await cancelMove(connection, crm)
        return print(`The move of CRM ${name} is cancelled. Delete the copy in the other installation.`)
      }
      const url = String(values.to ?? '')
      const secret = values['secret-file']
        ? await secretIn(String(values['secret-file']))
        : await secretOf(config)
      const target = { connectionString: url, limits: limitsOf(config) }
      await checkTarget(target, secret)
      const moved = await moveTenant({
        crm,
        source: { connection, signer: service.signer, name: 'here' },
        target: { connection: target, signer: makeSigner(secret), name: nameOf(url) },
        address: addressIn(values.address),
        pauseSeconds: pauseIn(values.pause),
        step: (step, detail = '') => process.stderr.write(`${step} ${detail}`.trim().concat('\n')),
      })
      if (values.json) return print(JSON.stringify(moved))
      print(
        `CRM ${name} has moved. It was closed for ${(moved.suspendedMs / 1000).toFixed(1)} seconds. When everything works there, delete it here: holdfast crm delete ${name} --yes`,
      )
      sayAddresses(moved.addresses)
    } finally {
      await close()
    }
  },
}

async function secretIn(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new StartError(`Cannot read ${file}: ${(error as Error).message}.`)
  }
}

/** Without the password, because the result is stored in the database. */
function nameOf(url: string): string {
  const parsed = URL.parse(url)
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new StartError('--to must be the DATABASE_URL of the other installation: postgres://...')
  // libpq also takes addresses that are not URLs, such as postgres://user@/database?host=/run/postgresql.
  if (!parsed) return withoutPassword(url)
  return `${parsed.host || parsed.searchParams.get('host')}${parsed.pathname}`
}

function addressIn(value: unknown): string {
  if (value === undefined) return ''
  const url = URL.parse(String(value))
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new StartError('--address must be an address such as https://book.example.org, without a path.')
  return url.origin
}

function pauseIn(value: unknown): number {
  const seconds = Number(value ?? usualPause)
  if (!(seconds >= 1 && seconds <= 600)) throw new StartError('--pause must be between 1 and 600 seconds.')
  return seconds
}

async function checkTarget(connection: Connection, secret: string) {
  const { fingerprint } = await import('../start/check-secret.ts')
  const db = openDb(connection)
  try {
    await mustBeMigrated(db.pool)
    const known = await readFingerprint(db)
    if (known !== null && known !== fingerprint(secret))
      throw new StartError(
        'The SECRET_KEY does not match the other installation. Put its SECRET_KEY into a file and pass it with --secret-file.',
      )
  } finally {
    await db.close()
  }
}
