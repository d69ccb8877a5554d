import type { Purged } from '../actions/scheduling/retention.ts'
import { StartError } from '../lib/start-error.ts'
import { type Command, say, withService } from './command.ts'

export const purgeCommand: Command = {
  name: 'purge',
  summary:
    'Forgets what is older than the RETENTION_ settings and those of each CRM allow, as the daily job does.',
  options: { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
  help: { 'dry-run': 'only say how much would be forgotten', json: 'for machines' },
  run: ({ values, config }) =>
    withService(config, async service => {
      const { purge, retentionForAll, retentionsInForce } = await import('../actions/scheduling/retention.ts')
      const all = [retentionForAll(service), ...(await retentionsInForce(service))]
      if (all.every(one => one.mailDays === null && one.customerMonths === null))
        throw new StartError(
          'Nothing is to be forgotten: set RETENTION_MAIL_DAYS or RETENTION_CUSTOMER_MONTHS, or either for a CRM in the console. See docs/operations.md.',
        )
      const dryRun = values['dry-run'] === true
      const { mails, customers, crms } = await purge(service, { dryRun })
      if (values.json) return say(JSON.stringify({ dryRun, mails, customers, crms }))
      for (const crm of crms) say(lineOf(crm))
      say(
        dryRun
          ? `Would empty ${mails} mails and erase ${customers} Customers.`
          : `Emptied ${mails} mails and erased ${customers} Customers.`,
      )
    }),
}

const lineOf = ({ crm, mailDays, customerMonths, mails, customers }: Purged['crms'][number]) =>
  `${crm}: mails ${after(mailDays, 'days')} (${mails}), Customers ${after(customerMonths, 'months')} (${customers})`

const after = (count: number | null, unit: string) => (count === null ? 'never' : `after ${count} ${unit}`)
