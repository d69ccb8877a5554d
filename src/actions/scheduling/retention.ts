import { dormantCustomers, emptyMails } from '../../db/retention.ts'
import { findProviderById } from '../../db/setup/providers.ts'
import { Refusal } from '../../errors.ts'
import { theService } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { deleteCustomer } from './customers.ts'

export type Purged = { mails: number; customers: number }

/** Forgets what the operator wants to be forgotten, in small steps; counts only, if it is a dry run. */
export async function purge(service: Service, { dryRun }: { dryRun: boolean }): Promise<Purged> {
  const { retentionCustomerMonths: months, retentionMailDays: days } = service.config
  return {
    customers: months === null ? 0 : await purgeCustomers(service, months, dryRun),
    mails: days === null ? 0 : await purgeMails(service, days, dryRun),
  }
}

async function purgeMails(service: Service, days: number, dryRun: boolean): Promise<number> {
  let emptied = 0
  for (let after: number | null = 0; after !== null && !service.health.isDraining; ) {
    const from: number = after
    const { next, byCrm } = await service.db.transaction(async tx => {
      const page = await emptyMails(tx, from, days, dryRun)
      if (!dryRun)
        await happened(
          tx,
          service,
          page.byCrm.map(({ crmId, count }) => ({
            actor: theService,
            crmId,
            news: { 'mail.purged': [{ detail: String(count) }] },
          })),
        )
      return page
    })
    emptied += byCrm.reduce((sum, one) => sum + one.count, 0)
    after = next
  }
  return emptied
}

async function purgeCustomers(service: Service, months: number, dryRun: boolean): Promise<number> {
  let erased = 0
  for (let after: number | null = 0; after !== null && !service.health.isDraining; ) {
    const page = await dormantCustomers(service.db, after, months)
    for (const one of page.dormant) if (dryRun || (await erase(service, one))) erased++
    after = page.next
  }
  return erased
}

/** As if the CRM had asked for it. Whoever has booked in this very moment stays. */
async function erase(service: Service, { providerId, reference }: { providerId: number; reference: string }) {
  const provider = await findProviderById(service.db, providerId)
  try {
    await deleteCustomer(service, theService, provider!, reference, false)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
