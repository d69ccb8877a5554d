import { resume, suspend } from '../actions/console/operator.ts'
import type { Config } from '../config.ts'
import type { Connection } from '../db/base/driver/connection.ts'
import type { Db } from '../db/base/pool.ts'
import { type Crm, findCrm } from '../db/setup/crms.ts'
import { StartError } from '../lib/start-error.ts'
import { type Command, print, sayAddresses, table, withService } from './command.ts'
import { crmMove } from './move.ts'

const json = { type: 'boolean' } as const

const crmSuspend: Command = {
  name: 'crm suspend',
  summary: 'Suspends a CRM: bookings, API calls, emails and webhooks wait until it is resumed.',
  words: ['<crm>'],
  run: ({ words: [name = ''], config }) =>
    withService(config, async service => {
      const isNew = await suspend(service, (await crmNamed(service.db, name)).id)
      print(isNew ? `CRM ${name} is suspended.` : `CRM ${name} is already suspended.`)
    }),
}

const crmResume: Command = {
  name: 'crm resume',
  summary: 'Resumes a suspended CRM.',
  words: ['<crm>'],
  run: ({ words: [name = ''], config }) =>
    withService(config, async service => {
      const isResumed = await resume(service, (await crmNamed(service.db, name)).id)
      if (!isResumed)
        throw new StartError(`CRM ${name} cannot be resumed: it is not suspended, or is being moved.`)
      print(`CRM ${name} is resumed.`)
    }),
}

const crmExport: Command = {
  name: 'crm export',
  summary: 'Exports all data of a CRM as JSON, one row per line.',
  words: ['<crm>'],
  options: { to: { type: 'string' } },
  help: { to: 'file to write (default: stdout)' },
  run: ({ words: [name = ''], values, config }) =>
    withConnection(config, async ({ db, connection }) => {
      const { writeTenant } = await import('../start/tenant.ts')
      await writeTenant(connection, await crmNamed(db, name), String(values.to ?? '-'))
    }),
}

const crmImport: Command = {
  name: 'crm import',
  summary: 'Imports a CRM exported by another installation, with the same uuids and references.',
  words: ['<file>'],
  options: { json },
  help: { json: 'print JSON' },
  run: ({ words: [file = ''], values, config }) =>
    withConnection(config, async ({ connection }) => {
      const { readTenant } = await import('../start/tenant.ts')
      const { counts, addresses } = await readTenant(connection, file)
      if (values.json) return print(JSON.stringify({ ...counts, addresses }))
      sayCounts('Imported', counts, false)
      sayAddresses(addresses)
    }),
}

const crmDelete: Command = {
  name: 'crm delete',
  summary:
    'Deletes a CRM and all its data permanently. Suspends it first; run it again after an interruption to continue.',
  words: ['<crm>'],
  options: { 'dry-run': { type: 'boolean' }, yes: { type: 'boolean' }, json },
  help: {
    'dry-run': 'only print what would be deleted',
    yes: 'confirm the deletion (required)',
    json: 'print JSON',
  },
  run: ({ words: [name = ''], values, config }) =>
    withConnection(config, async ({ db, connection }) => {
      const { measureTenant, removeTenant } = await import('../start/tenant.ts')
      const crm = await crmNamed(db, name)
      if (values['dry-run'])
        return sayCounts('Would delete', await measureTenant(connection, crm), values.json)
      if (!values.yes)
        throw new StartError(
          `Nothing was deleted. Preview with --dry-run, keep a copy with holdfast crm export ${name}, then add --yes.`,
        )
      const progress = (table: string, count: number) =>
        process.stderr.write(`${table}: ${count} rows deleted\n`)
      sayCounts('Deleted', await removeTenant(connection, crm, progress), values.json)
    }),
}

export const tenantCommands: Command[] = [crmSuspend, crmResume, crmExport, crmImport, crmDelete, crmMove]

function sayCounts(verb: string, counts: Record<string, number>, asJson: unknown) {
  if (asJson) return print(JSON.stringify(counts))
  const rows = Object.entries(counts).filter(([_key, count]) => count > 0)
  print(`${verb}:\n${table(rows.map(([name, count]) => [`  ${name}`, String(count)]))}`)
}

async function crmNamed(db: Db, name: string): Promise<Crm> {
  const crm = await findCrm(db, name)
  if (!crm) throw new StartError(`There is no CRM ${name}. See holdfast crm list.`)
  return crm
}

async function withConnection(
  config: Config,
  work: (opened: { db: Db; connection: Connection }) => Promise<void>,
) {
  const { openService } = await import('../start/open-service.ts')
  const opened = await openService(config, { log: () => {}, migrations: 'expect' })
  try {
    await work({ db: opened.service.db, connection: opened.connection })
  } finally {
    await opened.close()
  }
}
