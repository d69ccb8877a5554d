import type { Config } from '../config.ts'
import type { Connection } from '../db/base/driver/connection.ts'
import type { Db } from '../db/base/pool.ts'
import { type Crm, findCrm } from '../db/setup/crms.ts'
import { StartError } from '../lib/start-error.ts'
import { type Command, say, table } from './command.ts'

const json = { type: 'boolean' } as const

const crmExport: Command = {
  name: 'crm export',
  summary: 'Writes everything of a CRM, one row a line, as JSON.',
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
  summary: 'Takes in a CRM that another installation has exported, with the same uuids and references.',
  words: ['<file>'],
  options: { json },
  help: { json: 'for machines' },
  run: ({ words: [file = ''], values, config }) =>
    withConnection(config, async ({ connection }) => {
      const { readTenant } = await import('../start/tenant.ts')
      sayCounts('Imported', await readTenant(connection, file), values.json)
    }),
}

const crmDelete: Command = {
  name: 'crm delete',
  summary: 'Deletes a CRM with all that is in it, for good.',
  words: ['<crm>'],
  options: { 'dry-run': { type: 'boolean' }, yes: { type: 'boolean' }, json },
  help: { 'dry-run': 'only say what would go', yes: 'really', json: 'for machines' },
  run: ({ words: [name = ''], values, config }) =>
    withConnection(config, async ({ db, connection }) => {
      const { measureTenant, removeTenant } = await import('../start/tenant.ts')
      const crm = await crmNamed(db, name)
      if (values['dry-run'])
        return sayCounts('Would delete', await measureTenant(connection, crm), values.json)
      if (!values.yes)
        throw new StartError(
          `Nothing was deleted. Look with --dry-run, keep a copy with holdfast crm export ${name}, then add --yes.`,
        )
      sayCounts('Deleted', await removeTenant(connection, crm), values.json)
    }),
}

export const tenantCommands: Command[] = [crmExport, crmImport, crmDelete]

function sayCounts(verb: string, counts: Record<string, number>, asJson: unknown) {
  if (asJson) return say(JSON.stringify(counts))
  const rows = Object.entries(counts).filter(([, count]) => count > 0)
  say(`${verb}:\n${table(rows.map(([name, count]) => [`  ${name}`, String(count)]))}`)
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
