import {
  type CrmRetention,
  dormantCustomers,
  emptyMails,
  isStillDormant,
  listRetentions,
  type Retention,
} from '../../db/retention.ts'
import { findProviderById } from '../../db/setup/providers.ts'
import { notFound, Refusal } from '../../errors.ts'
import { inPassing } from '../../lib/in-passing.ts'
import { theService } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'
import { deleteCustomer } from './customers.ts'

type Counts = { mails: number; customers: number }

export type Purged = Counts & {
  /** What is in force in each CRM, and how much of it that was. */
  crms: ({ crm: string } & Retention & Counts)[]
}

/** What the operator has set for every CRM that has no wish of its own. */
export const retentionForAll = ({ config }: Service): Retention => ({
  mailDays: config.retentionMailDays,
  customerMonths: config.retentionCustomerMonths,
})

/** What counts in a CRM: its own wish, shorter or longer, before the operator's. */
export async function retentionsInForce(service: Service): Promise<CrmRetention[]> {
  const all = retentionForAll(service)
  return (await listRetentions(service.db)).map(({ mailDays, customerMonths, ...crm }) => ({
    ...crm,
    mailDays: mailDays ?? all.mailDays,
    customerMonths: customerMonths ?? all.customerMonths,
  }))
}

/** Forgets what is to be forgotten, in small steps; counts only, if it is a dry run. */
export async function purge(service: Service, { dryRun }: { dryRun: boolean }): Promise<Purged> {
  const crms = await retentionsInForce(service)
  const customers = await purgeCustomers(service, crms, dryRun)
  const mails = await purgeMails(service, crms, dryRun)
  return {
    customers: sum(customers),
    mails: sum(mails),
    crms: crms.map(({ id, name, mailDays, customerMonths }) => ({
      crm: name,
      mailDays,
      customerMonths,
      mails: mails.get(id) ?? 0,
      customers: customers.get(id) ?? 0,
    })),
  }
}

/** By the CRM's id; mails of the service itself are nobody's. */
type ByCrm = Map<number | null, number>

const sum = (counts: ByCrm) => counts.values().reduce((all, one) => all + one, 0)

const add = (counts: ByCrm, crmId: number | null, count: number) =>
  counts.set(crmId, (counts.get(crmId) ?? 0) + count)

async function purgeMails(service: Service, crms: CrmRetention[], dryRun: boolean): Promise<ByCrm> {
  const emptied: ByCrm = new Map()
  const days = service.config.retentionMailDays
  const wishes = [days, ...crms.map(crm => crm.mailDays)].filter(wish => wish !== null)
  const shortest = Math.min(...wishes)
  let after: number | null = wishes.length > 0 ? 0 : null
  while (after !== null && !service.health.isDraining) {
    const from: number = after
    const { next, byCrm } = await stepOf(dryRun)(() => emptyPage(service, from, { days, shortest, dryRun }))
    for (const { crmId, count } of byCrm) add(emptied, crmId, count)
    after = next
  }
  return emptied
}

/** Whoever only counts is waited for, and is in nobody's way. */
const stepOf = (dryRun: boolean) => (dryRun ? atOnce : inPassing)

const atOnce = <T>(step: () => Promise<T>) => step()

const emptyPage = (service: Service, from: number, options: Parameters<typeof emptyMails>[2]) =>
  service.db.transaction(async tx => {
    const page = await emptyMails(tx, from, options)
    const stories = page.byCrm.map(({ crmId, count }) => ({
      actor: theService,
      crmId,
      news: { 'mail.purged': [{ detail: String(count) }] },
    }))
    if (!options.dryRun) await happened(tx, service, stories)
    return page
  })

async function purgeCustomers(service: Service, crms: CrmRetention[], dryRun: boolean): Promise<ByCrm> {
  const erased: ByCrm = new Map()
  const isWanted = crms.some(crm => crm.customerMonths !== null)
  let after: number | null = isWanted ? 0 : null
  while (after !== null && !service.health.isDraining) {
    const from: number = after
    const months = service.config.retentionCustomerMonths
    const page = await stepOf(dryRun)(() => dormantCustomers(service.db, from, months))
    for (const one of page.dormant) {
      if (service.health.isDraining) return erased
      if (dryRun || (await inPassing(() => erase(service, one)))) add(erased, one.crmId, 1)
    }
    after = page.next
  }
  return erased
}

/** As if the CRM had asked for it. Whoever has booked, or was accepted by the CRM, since they were looked at stays. */
async function erase(service: Service, { providerId, reference }: { providerId: number; reference: string }) {
  const provider = await findProviderById(service.db, providerId)
  const months = service.config.retentionCustomerMonths
  try {
    await deleteCustomer(service, theService, provider!, reference, false, async (tx, { id }) => {
      if (!(await isStillDormant(tx, id, months))) throw notFound('Customer', reference)
    })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
