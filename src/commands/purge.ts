import { StartError } from '../lib/start-error.ts'
import { type Command, say, withService } from './command.ts'

export const purgeCommand: Command = {
  name: 'purge',
  summary: 'Forgets what is older than the RETENTION_ settings allow, as the daily job does.',
  options: { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
  help: { 'dry-run': 'only say how much would be forgotten', json: 'for machines' },
  run: ({ values, config }) =>
    withService(config, async service => {
      if (config.retentionCustomerMonths === null && config.retentionMailDays === null)
        throw new StartError(
          'Nothing is to be forgotten: set RETENTION_MAIL_DAYS or RETENTION_CUSTOMER_MONTHS, see docs/operations.md.',
        )
      const { purge } = await import('../actions/scheduling/retention.ts')
      const dryRun = values['dry-run'] === true
      const { mails, customers } = await purge(service, { dryRun })
      if (values.json) return say(JSON.stringify({ dryRun, mails, customers }))
      say(
        dryRun
          ? `Would empty ${mails} mails and erase ${customers} Customers.`
          : `Emptied ${mails} mails and erased ${customers} Customers.`,
      )
    }),
}
