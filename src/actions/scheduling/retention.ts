import type { Queryable } from '../../db/base/pool.ts'
import {
  type CrmRetention,
  dormantCustomers,
  emptyMails,
  isStillDormant,
  listRetentions,
  type Retention,
} from '../../db/retention.ts'
import { endMirror } from '../../db/scheduling/calendar-mirrors.ts'
import { deleteSource, findAbandonedSource } from '../../db/scheduling/calendar-sources.ts'
import { deleteEnded } from '../../db/scheduling/waiting-entries.ts'
import { deleteOldCalls } from '../../db/setup/request-log.ts'
import { runAtLowPriority } from '../../lib/run-in-steps.ts'
import { serviceActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { eraseIf } from './customers/erase-if.ts'
import { purgeAnswers } from './purge-answers.ts'

type Counts = { mails: number; customers: number }

export type Purged = Counts & {
  /** Answers to questions of booking forms. */
  answers: number
  /** Entries of the waiting list that ended long ago. */
  waitingEntries: number
  /** The periods that apply in each CRM, and how many records were affected. */
  crms: ({ crm: string } & Retention & Counts)[]
}

/** The operator's default for every CRM without a setting of its own. */
export const defaultRetention = ({ config }: Service): Retention => ({
  mailDays: config.retentionMailDays,
  customerMonths: config.retentionCustomerMonths,
})

/** The CRM's own setting, shorter or longer, takes precedence over the operator's. */
export async function effectiveRetentions(service: Service): Promise<CrmRetention[]> {
  const all = defaultRetention(service)
  return (await listRetentions(service.db)).map(({ mailDays, customerMonths, ...crm }) => ({
    ...crm,
    mailDays: mailDays ?? all.mailDays,
    customerMonths: customerMonths ?? all.customerMonths,
  }))
}

/** Deletes personal data past its retention period, in small steps; a dry run only counts. */
export async function purge(service: Service, { dryRun }: { dryRun: boolean }): Promise<Purged> {
  const crms = await effectiveRetentions(service)
  const customers = await purgeCustomers(service, crms, dryRun)
  const mails = await purgeMails(service, crms, dryRun)
  const answers = await purgeAnswers(service, { dryRun })
  const waitingEntries = await purgeWaiting(service, dryRun)
  if (!dryRun) await purgeCalendars(service)
  if (!dryRun) await purgeRequestLog(service)
  return {
    answers,
    waitingEntries,
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

/** By CRM id; null for emails of the service itself. */
type ByCrm = Map<number | null, number>

const sum = (counts: ByCrm) => counts.values().reduce((all, one) => all + one, 0)

const add = (counts: ByCrm, crmId: number | null, count: number) =>
  counts.set(crmId, (counts.get(crmId) ?? 0) + count)

async function purgeMails(service: Service, crms: CrmRetention[], dryRun: boolean): Promise<ByCrm> {
  const emptied: ByCrm = new Map()
  const days = service.config.retentionMailDays
  const limits = [days, ...crms.map(crm => crm.mailDays)].filter(limit => limit !== null)
  const shortest = Math.min(...limits)
  let after: number | null = limits.length > 0 ? 0 : null
  while (after !== null && !service.health.isDraining) {
    const from: number = after
    const { next, byCrm } = await stepOf(dryRun)(() => emptyPage(service, from, { days, shortest, dryRun }))
    for (const { crmId, count } of byCrm) add(emptied, crmId, count)
    after = next
  }
  return emptied
}

async function purgeRequestLog({ db, health }: Service) {
  while (!health.isDraining && (await runAtLowPriority(() => deleteOldCalls(db))) > 0);
}

/** Those of deleted Resources, which no user can reach any more. */
async function purgeCalendars(service: Service) {
  const step = () => service.db.transaction(deleteAbandoned)
  while (!service.health.isDraining && (await runAtLowPriority(step)));
}

async function deleteAbandoned(tx: Queryable): Promise<boolean> {
  const id = await findAbandonedSource(tx)
  if (id === null) return false
  await endMirror(tx, id)
  await deleteSource(tx, id)
  return true
}

async function purgeWaiting(service: Service, dryRun: boolean): Promise<number> {
  let count = 0
  for (let page = 1; page > 0 && !service.health.isDraining; count += page) {
    page = await stepOf(dryRun)(() => deleteEnded(service.db, 1000, dryRun))
    if (dryRun) return page
  }
  return count
}

/** A dry run has a waiting caller and takes no locks, so it runs at full speed. */
const stepOf = (dryRun: boolean) => (dryRun ? atOnce : runAtLowPriority)

const atOnce = <T>(step: () => Promise<T>) => step()

const emptyPage = (service: Service, from: number, options: Parameters<typeof emptyMails>[2]) =>
  service.db.transaction(async tx => {
    const page = await emptyMails(tx, from, options)
    const eventBatches = page.byCrm.map(({ crmId, count }) => ({
      actor: serviceActor,
      crmId,
      events: { 'mail.purged': [{ detail: String(count) }] },
    }))
    if (!options.dryRun) await recordEvents(tx, service, eventBatches)
    return page
  })

async function purgeCustomers(service: Service, crms: CrmRetention[], dryRun: boolean): Promise<ByCrm> {
  const erased: ByCrm = new Map()
  const isWanted = crms.some(crm => crm.customerMonths !== null)
  let after: number | null = isWanted ? 0 : null
  while (after !== null && !service.health.isDraining) {
    const from: number = after
    const months = service.config.retentionCustomerMonths
    const isDue = (tx: Queryable, id: number) => isStillDormant(tx, id, months)
    const page = await stepOf(dryRun)(() => dormantCustomers(service.db, from, months))
    for (const one of page.dormant) {
      if (service.health.isDraining) return erased
      if (dryRun || (await runAtLowPriority(() => eraseIf(service, one, isDue)))) add(erased, one.crmId, 1)
    }
    after = page.next
  }
  return erased
}
