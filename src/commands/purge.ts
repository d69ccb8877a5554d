import type { Purged } from '../actions/scheduling/retention.ts'
import { StartError } from '../lib/start-error.ts'
import { type Command, print, withService } from './command.ts'

export const purgeCommand: Command = {
  name: 'purge',
  summary: 'Deletes data older than the RETENTION_ settings and those of each CRM allow, like the daily job.',
  options: { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
  help: { 'dry-run': 'only print how much would be deleted', json: 'print JSON' },
  run: ({ values, config }) =>
    withService(config, async service => {
      const {
        purge,
        defaultRetention: retentionForAll,
        effectiveRetentions: retentionsInForce,
      } = await import('../actions/scheduling/retention.ts')
      const all = [retentionForAll(service), ...(await retentionsInForce(service))]
      if (all.every(one => one.mailDays === null && one.customerMonths === null))
        throw new StartError(
          'No retention period is set. Set RETENTION_MAIL_DAYS or RETENTION_CUSTOMER_MONTHS, or either for a CRM in the console. See docs/operations.md.',
        )
      const dryRun = values['dry-run'] === true
      const { mails, customers, answers, waitingEntries, crms } = await purge(service, { dryRun })
      if (values.json)
        return print(JSON.stringify({ dryRun, mails, customers, answers, waitingEntries, crms }))
      for (const crm of crms) print(lineOf(crm))
      print(
        dryRun
          ? `Would erase the content of ${mails} emails and ${customers} Customers.`
          : `Erased the content of ${mails} emails and ${customers} Customers.`,
      )
      if (answers > 0)
        print(`${dryRun ? 'Would remove' : 'Removed'} ${answers} answers to questions of booking forms.`)
      if (waitingEntries > 0)
        print(`${dryRun ? 'Would delete' : 'Deleted'} ${waitingEntries} old entries of waiting lists.`)
    }),
}

const lineOf = ({ crm, mailDays, customerMonths, mails, customers }: Purged['crms'][number]) =>
  `${crm}: emails ${after(mailDays, 'days')} (${mails}), Customers ${after(customerMonths, 'months')} (${customers})`

const after = (count: number | null, unit: string) => (count === null ? 'never' : `after ${count} ${unit}`)
