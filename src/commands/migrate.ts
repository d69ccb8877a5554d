import type pg from 'pg'
import { type Command, print, withService } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Migrates the database to the version of this program, prints the applied migrations, and exits.',
  options: { 'dry-run': { type: 'boolean' } },
  help: { 'dry-run': 'only print what would be done' },
  run: ({ config, values }) =>
    values['dry-run']
      ? withService(config, ({ db }) => sayMissing(db.pool), { log: print, migrations: 'ignore' })
      : withService(config, async () => print('The database is up to date.'), {
          log: print,
          migrations: 'apply',
        }),
}

async function sayMissing(pool: pg.Pool) {
  const { missingMigrations } = await import('../db/base/migrate.ts')
  const missing = await missingMigrations(pool)
  print(missing.length > 0 ? `Would apply: ${missing.join(', ')}` : 'The database is up to date.')
}
