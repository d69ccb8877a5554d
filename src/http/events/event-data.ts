import type { Queryable } from '../../db/base/pool.ts'
import type { EventRow } from '../../db/events.ts'
import { mailsById } from '../../db/mails.ts'
import { appointmentsById } from '../../db/scheduling/appointment-records.ts'
import { sourcesById } from '../../db/scheduling/calendar-sources.ts'
import { customersById } from '../../db/scheduling/customers.ts'
import { participationsById } from '../../db/scheduling/participations.ts'
import { timeslotsById } from '../../db/scheduling/timeslots.ts'
import { entriesById } from '../../db/scheduling/waiting-entries.ts'
import { accountsById } from '../../db/setup/accounts.ts'
import { keysById } from '../../db/setup/keys.ts'
import { productsById } from '../../db/setup/products.ts'
import { profilesById } from '../../db/setup/profiles.ts'
import { providersById } from '../../db/setup/providers.ts'
import { questionsById } from '../../db/setup/questions.ts'
import { resourcesById } from '../../db/setup/resources.ts'
import { usersById } from '../../db/setup/users.ts'
import { webhooksById } from '../../db/webhooks.ts'
import { account } from '../../entities/account.ts'
import { product } from '../../entities/product.ts'
import { timeslot } from '../../entities/timeslot.ts'
import { unseal } from '../../lib/seal.ts'
import { type EventNoun, nounOf } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { customerRecord } from '../scheduling/customers.ts'
import { participationRecord } from '../scheduling/participations.ts'
import { waitingRecord } from '../scheduling/waiting-list.ts'
import { providerRecord } from '../setup/providers.ts'
import { questionRecord } from '../setup/questions.ts'
import { resourceRecord } from '../setup/resources.ts'
import { userRecord } from '../setup/users.ts'

// Event data is read when the event is sent: the records as the API shows them at that moment. Erased people
// are not included, and deleted records are null; the reference remains unless it belongs to a person.

type EventData = { reference: string | null; uuid?: string; [record: string]: unknown }

type Reader = (db: Queryable, ids: number[]) => Promise<[number, EventData][]>

const readers: Record<EventNoun, Reader> = {
  appointment: async (db, ids) =>
    (await appointmentsById(db, ids)).map(one => [
      one.id,
      { reference: one.reference, uuid: one.uuid, ...appointmentData(one) },
    ]),
  participation: readParticipations,
  customer: async (db, ids) =>
    (await customersById(db, ids)).map(one => [
      one.id,
      {
        reference: one.reference,
        uuid: one.uuid,
        customer: customerRecord({ reference: one.providerReference }, one),
      },
    ]),
  waiting: async (db, ids) =>
    (await entriesById(db, ids)).map(one => [one.id, { reference: one.uuid, waiting: waitingRecord(one) }]),
  timeslot: async (db, ids) =>
    (await timeslotsById(db, ids)).map(one => [
      one.id,
      { reference: one.reference, uuid: one.uuid, timeslot: timeslot.record(one) },
    ]),
  resource: readResources,
  product: readProducts,
  question: async (db, ids) =>
    (await questionsById(db, ids)).map(one => [
      one.id,
      { reference: one.key, question: one.archived ? null : questionRecord(one) },
    ]),
  provider: async (db, ids) =>
    (await providersById(db, ids)).map(one => [
      one.id,
      {
        reference: one.reference,
        uuid: one.uuid,
        provider: one.deletedAt === null ? providerRecord(one) : null,
      },
    ]),
  staff: readUsers,
  user: readUsers,
  account: async (db, ids) =>
    (await accountsById(db, ids)).map(one => [
      one.id,
      { reference: one.accountReference, account: account.record(one) },
    ]),
  profile: async (db, ids) =>
    (await profilesById(db, ids)).map(({ id, reference, userReference, name, channels }) => [
      id,
      { reference, profile: { userReference, name, contactChannels: channels } },
    ]),
  mail: async (db, ids) =>
    (await mailsById(db, ids)).map(({ id, uuid, kind, state, participationReference }) => [
      id,
      { reference: participationReference, mail: { uuid, kind, state } },
    ]),
  settings: readResources,
  key: async (db, ids) =>
    (await keysById(db, ids)).map(({ id, uuid, prefix, label, scopes }) => [
      id,
      { reference: prefix, key: { uuid, prefix, label, scopes } },
    ]),
  calendar: async (db, ids) =>
    (await sourcesById(db, ids)).map(({ id, uuid, name, kind, resourceReference }) => [
      id,
      { reference: resourceReference, calendar: { uuid, name, kind } },
    ]),
  webhook: async (db, ids) =>
    (await webhooksById(db, ids)).map(({ id, uuid, url }) => [
      id,
      { reference: uuid, webhook: { uuid, url } },
    ]),
}

type Read = Awaited<ReturnType<typeof appointmentsById>>[number]

const appointmentData = ({ record, total }: Pick<Read, 'record' | 'total'>) => ({
  appointment: record,
  ...(record ? { participationsTotal: total } : {}),
})

async function readParticipations(db: Queryable, ids: number[]): Promise<[number, EventData][]> {
  const rows = await participationsById(db, ids)
  const around = await appointmentsById(db, [...new Set(rows.map(row => row.appointmentId))])
  const appointments = new Map(around.map(one => [one.id, one]))
  return rows.map(row => [
    row.id,
    {
      reference: row.reference,
      participation: row.isGone ? null : participationRecord(row),
      ...appointmentData(appointments.get(row.appointmentId) ?? { record: null, total: 0 }),
    },
  ])
}

async function readResources(db: Queryable, ids: number[]): Promise<[number, EventData][]> {
  return (await resourcesById(db, ids)).map(one => {
    const resource = one.deletedAt === null ? resourceRecord({ reference: one.providerReference }, one) : null
    return [one.id, { reference: one.reference, uuid: one.uuid, resource }]
  })
}

/** Deleted Products keep their name, for history. */
async function readProducts(db: Queryable, ids: number[]): Promise<[number, EventData][]> {
  return (await productsById(db, ids)).map(one => {
    const { id, reference, uuid, name, deletedAt } = one
    return [
      id,
      deletedAt === null
        ? { reference, uuid, product: product.record(one) }
        : { reference, uuid, product: null, name },
    ]
  })
}

async function readUsers(db: Queryable, ids: number[]): Promise<[number, EventData][]> {
  return (await usersById(db, ids)).map(one => [
    one.id,
    { reference: one.reference, user: one.reference === null ? null : userRecord(one) },
  ])
}

type Source = Pick<Service, 'db' | 'signer'>

/** The former reference of an erased Customer is shown with the erasure only. */
function extraOf(
  { kind, subject, extra, formerReference }: EventRow,
  known: Map<number, EventData>,
  { signer }: Source,
) {
  if (!formerReference || (kind !== 'customer.erased' && !known.has(subject!))) return extra
  return { ...extra, formerReference: unseal(signer.keys('events'), formerReference) }
}

/** For each event, in the same order, with one query per table. */
export async function eventData(source: Source, events: EventRow[]): Promise<EventData[]> {
  const byNoun = Map.groupBy(events, event => nounOf(event.kind))
  const read = async ([noun, some]: [EventNoun, EventRow[]]) => {
    const ids = [...new Set(some.flatMap(event => event.subject ?? []))]
    // A newer version that runs beside this one may record nouns that are unknown here.
    const reader = readers[noun] as Reader | undefined
    return [noun, new Map(reader && ids.length > 0 ? await reader(source.db, ids) : [])] as const
  }
  const known = new Map(await Promise.all([...byNoun].map(read)))
  return events.map(event => {
    const found = known.get(nounOf(event.kind))!
    return { ...dataOfOne(event, found), ...extraOf(event, found, source) }
  })
}

function dataOfOne({ kind, subject, detail }: EventRow, known: Map<number, EventData>): EventData {
  const noun = nounOf(kind)
  const found = subject === null ? undefined : known.get(subject)
  if (noun === 'settings') return { reference: null, ...found, channelKey: detail }
  if (kind === 'mail.purged') return { reference: null, mail: null, count: Number(detail) }
  if (noun === 'staff' && found && detail) return { ...found, role: detail }
  if (kind === 'calendar.removed' && detail) {
    const [uuid, ...reference] = detail.split(' ')
    return { reference: reference.join(' ') || null, calendar: { uuid } }
  }
  return found ?? { reference: isNoted(noun) ? detail : null, [recordName[noun] ?? noun]: null }
}

/** Their rows are deleted, so the event itself stores what is shown. */
const isNoted = (noun: EventNoun) => noun === 'timeslot' || noun === 'profile' || noun === 'account'

/** Where the record has another name than the noun. */
const recordName: { [N in EventNoun]?: string } = { staff: 'user' }
