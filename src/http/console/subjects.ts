import { findMail } from '../../db/mails.ts'
import { findTimeslotByUuid } from '../../db/scheduling/calendar.ts'
import { isBookedAt } from '../../db/scheduling/customer-search.ts'
import { type CustomerRow, findCustomerByUuid } from '../../db/scheduling/customers.ts'
import { type DiaryEntry, findDiaryEntry } from '../../db/scheduling/diary.ts'
import { findParticipationByUuid } from '../../db/scheduling/participations.ts'
import { type EntryRecord, findEntry, waitsAt } from '../../db/scheduling/waiting-entries.ts'
import { findConsoleUser, type LoginRow } from '../../db/setup/console-users.ts'
import { type Crm, findCrm } from '../../db/setup/crms.ts'
import { findInvitation } from '../../db/setup/invitations.ts'
import { findProductByUuid } from '../../db/setup/products.ts'
import { findProviderByUuid, type ProviderRow } from '../../db/setup/providers.ts'
import { findResourceByUuid, type ResourceRow } from '../../db/setup/resources.ts'
import { ofProvider, ofResource, type Subject } from '../wire/callers/permit.ts'

// The records that paths of the console API name, and the Provider or CRM that each belongs to.

export const providerInPath: Subject<ProviderRow> = {
  noun: 'Provider',
  isProvider: true,
  find: findProviderByUuid,
  tenantOf: ({ id }) => ({ providerId: id }),
}

export const resourceInPath: Subject<ResourceRow> = {
  ...ofProvider('Resource', findResourceByUuid),
  isAt: (_, { uuid }, resources) => resources.includes(uuid),
}
export const productInPath = ofProvider('Product', findProductByUuid)
export const timeslotInPath = ofResource('Timeslot', findTimeslotByUuid)
/** Practitioners see the customers of their own appointments, and those who wait for one with them. */
export const customerInPath: Subject<CustomerRow> = {
  ...ofProvider('Customer', findCustomerByUuid),
  isAt: async (db, { id }, resources) =>
    (await isBookedAt(db, id, resources)) || (await waitsAt(db, id, resources)),
}
export const participationInPath = ofResource('Participation', findParticipationByUuid)
/** Practitioners reach those who ask for one of their Resources. */
export const waitingEntryInPath: Subject<EntryRecord> = {
  ...ofProvider('Waiting list entry', findEntry),
  parameter: 'entryUuid',
  isAt: (_, entry, resources) => isNamed(entry, resources),
}
export const isNamed = ({ resources }: EntryRecord, own: string[]) =>
  resources?.some(one => own.includes(one.uuid)) ?? false
export const mailInPath = ofProvider('Mail', findMail)

export type FoundEntry = DiaryEntry & { providerId: number }
export const appointmentInPath = ofResource<FoundEntry>('Appointment', findDiaryEntry)

export const crmInPath: Subject<Crm> = {
  noun: 'CRM',
  parameter: 'crmId',
  isName: () => true,
  find: findCrm,
  tenantOf: ({ id }) => ({ crmId: id }),
}

/** A login, or an invitation that is still open. */
export const loginInPath: Subject<FoundLogin> = {
  noun: 'login',
  parameter: 'loginUuid',
  find: async (db, uuid) => (await findConsoleUser(db, uuid)) ?? pending(await findInvitation(db, uuid)),
  tenantOf: ({ crmId }) => ({ crmId }),
}

type FoundLogin = Pick<LoginRow, 'id' | 'uuid' | 'role' | 'crmId'>
const pending = <Row>(invited: Row | null) => invited && { ...invited, id: null }
