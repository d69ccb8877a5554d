import type pg from 'pg'
import { type Command, say, withService } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Brings the database to the version of this program, says what it did, and ends.',
  options: { 'dry-run': { type: 'boolean' } },
  help: { 'dry-run': 'only say what would be done' },
  run: ({ config, values }) =>
    values['dry-run']
      ? withService(config, ({ db }) => sayMissing(db.pool), { log: say, migrations: 'ignore' })
      : withService(config, async () => say('The database is up to date.'), {
          log: say,
          migrations: 'apply',
        }),
}

async function sayMissing(pool: pg.Pool) {
  const { missingMigrations } = await import('../db/base/migrate.ts')
  const missing = await missingMigrations(pool)
  say(missing.length > 0 ? `Would be applied: ${missing.join(', ')}` : 'The database is up to date.')
}
