import Type, { type Static } from 'typebox'
import { addEntry, changeEntry, leaveList } from '../../../actions/scheduling/waiting/entries.ts'
import { offerByHand } from '../../../actions/scheduling/waiting/offer-by-hand.ts'
import type { ProviderContext } from '../../../callers.ts'
import { emptyBounds, loadWindows } from '../../../db/booking/windows.ts'
import { isBookedAt } from '../../../db/scheduling/customer-search.ts'
import { findCustomer } from '../../../db/scheduling/customers.ts'
import { type EntryRecord, entriesById, listLine } from '../../../db/scheduling/waiting-entries.ts'
import { listTakers } from '../../../db/scheduling/waiting-takers.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { findResourceByUuid } from '../../../db/setup/resources.ts'
import { invalidField, notFound } from '../../../errors.ts'
import { day, minute } from '../../../rules/offers/window.ts'
import { parseInstant } from '../../../rules/time/time.ts'
import { asFreeSlot } from '../../../rules/waiting/wish.ts'
import type { Service } from '../../../service.ts'
import {
  asChange,
  WaitingChange,
  WaitingInput,
  WaitingOfferInput,
  waitingProperties,
  waitingRecord,
} from '../../scheduling/waiting-list.ts'
import { Moment, Uuid } from '../../wire/fields.ts'
import { answer, consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { isNamed, providerInPath, resourceInPath, waitingEntryInPath } from '../subjects.ts'

// Practitioners see and serve those who ask for one of their Resources. Of those who would go to anyone, they
// learn only how many would take a time.

const Named = Type.Object({ uuid: Uuid, name: Type.String() })

export const ConsoleWaitingEntry = Type.Object(
  {
    ...waitingProperties,
    customer: Type.Object({ uuid: Uuid, name: Type.String(), email: Nullable(Type.String()) }),
    product: Named,
    resources: Nullable(Type.Array(Named)),
    replacesStart: Nullable(Moment),
  },
  { title: 'ConsoleWaitingEntry' },
)

const path = '/console/api/providers/:uuid/waiting_list'
const maxShown = 500

export const getConsoleWaitingList = consoleRoute({
  method: 'GET',
  path,
  operationId: 'getConsoleWaitingList',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true },
  summary: 'Who waits for what, the next one first',
  description: 'Open entries, up to 500. Practitioners see those that name one of their Resources.',
  replies: {
    200: Type.Object(
      { timeZone: Type.String(), entries: Type.Array(ConsoleWaitingEntry) },
      { title: 'ConsoleWaitingList' },
    ),
  },
  async handle({ service, found: provider, only }) {
    const entries = await listLine(service.db, provider.id, maxShown, only)
    return { timeZone: provider.timeZone, entries: entries.map(consoleEntry) }
  },
})

export const addConsoleWaiting = consoleRoute({
  method: 'POST',
  path,
  operationId: 'addConsoleWaiting',
  access: { right: 'book', whose: providerInPath, isFiltered: true },
  summary: 'Add a Customer to the waiting list',
  description: 'Counts at once. The same wish of the same Customer returns the existing entry.',
  body: WaitingInput,
  replies: { 200: ConsoleWaitingEntry, 201: ConsoleWaitingEntry },
  errors: ['conflict'],
  async handle({ body, service, found: provider, only, context }) {
    if (only) await refuseStranger(service, provider, body.customerReference, only)
    const input = { ...body, resourceReferences: await reached(service, body.resourceReferences, only) }
    const { entry, created } = await addEntry(context, input)
    return answer(created ? 201 : 200, consoleEntry(entry))
  },
})

export const patchConsoleWaiting = consoleRoute({
  method: 'PATCH',
  path: `${path}/:entryUuid`,
  operationId: 'patchConsoleWaiting',
  access: { right: 'book', whose: waitingEntryInPath },
  summary: 'Change an entry of the waiting list',
  description: 'Changes only the fields that are sent, such as `priority` with its `priorityReason`.',
  body: WaitingChange,
  replies: { 200: ConsoleWaitingEntry },
  errors: ['conflict'],
  async handle({ params, body, service, found, only, context }) {
    refuseOtherPath(context, params, found)
    const { resourceReferences, ...change } = asChange(body)
    const places =
      resourceReferences === undefined
        ? {}
        : { resourceReferences: await reached(service, resourceReferences, only) }
    return consoleEntry(await changeEntry(context, found.uuid, { ...change, ...places }))
  },
})

export const endConsoleWaiting = consoleRoute({
  method: 'DELETE',
  path: `${path}/:entryUuid`,
  operationId: 'endConsoleWaiting',
  access: { right: 'book', whose: waitingEntryInPath },
  summary: 'Take a Customer off the waiting list',
  description: 'A time that is held for the Customer goes to the next in line.',
  replies: { 200: ConsoleWaitingEntry },
  async handle({ params, found, context }) {
    refuseOtherPath(context, params, found)
    return consoleEntry(await leaveList(context, found.uuid, 'staff'))
  },
})

export const offerConsoleWaiting = consoleRoute({
  method: 'POST',
  path: `${path}/:entryUuid/offer`,
  operationId: 'offerConsoleWaiting',
  access: { right: 'book', whose: waitingEntryInPath },
  summary: 'Offer a free time to a Customer on the waiting list',
  description: 'Holds the time and emails the Customer out of turn.',
  body: WaitingOfferInput,
  replies: { 200: ConsoleWaitingEntry },
  errors: ['conflict'],
  async handle({ params, body, service, found, only, context }) {
    refuseOtherPath(context, params, found)
    await reached(service, [body.resourceReference], only, 'resourceReference')
    return consoleEntry(await offerByHand(context, found.uuid, body))
  },
})

export const countConsoleWaiting = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/waiting',
  operationId: 'countConsoleWaiting',
  access: { right: 'see-calendar', whose: resourceInPath },
  summary: 'Who on the waiting list would take a time',
  description:
    'For a time of this Resource, whether it is free or not; the next one first, up to 10. `count` is the number of people. Those who have an open offer are left out.',
  query: {
    start: Type.String({ maxLength: 64, description: 'Without an offset, the Provider’s local time.' }),
    end: Type.Optional(
      Type.String({ maxLength: 64, description: 'For Products without a duration of their own.' }),
    ),
  },
  replies: {
    200: Type.Object(
      { count: Type.Number(), entries: Type.Array(ConsoleWaitingEntry) },
      { title: 'WaitingCount' },
    ),
  },
  async handle({ query, service: { db }, found: resource, only, service, context }) {
    const { provider } = context
    const takers = await listTakers(
      db,
      provider.id,
      await slotsAt(service, provider, resource.id, query),
      maxShown,
    )
    const entries = await entriesById(
      db,
      takers.slice(0, maxNamed).map(one => one.id),
    )
    const named = takers.flatMap(({ id }) =>
      entries.filter(one => one.id === id && (!only || isNamed(one, only))),
    )
    return {
      count: new Set(takers.map(one => one.customerId)).size,
      entries: named.map(consoleEntry),
    }
  },
})

const maxNamed = 10

/** The time as an appointment of each Product that the Resource offers. */
async function slotsAt(
  { db }: Service,
  { timeZone }: ProviderRow,
  resourceId: number,
  query: { start: string; end?: string },
) {
  const [start, end] = (['start', 'end'] as const).map(field => {
    const text = query[field]
    const at = text === undefined ? null : parseInstant(text, timeZone)
    if (text !== undefined && at === null) throw invalidField(field, 'date-time:local')
    return at
  }) as [number, number | null]
  const [loaded] = await loadWindows(db, [{ resourceId, channelKey: 'RESOURCE_PUBLIC' }], emptyBounds)
  const given = Math.min(Math.max((end ?? start) - start, 0), day)
  return loaded!.window.products.map(({ id: productId, minDuration }) => {
    const length = minDuration === null ? given : minDuration * minute
    return asFreeSlot({ productId, resourceId, start, end: start + length }, timeZone)
  })
}

/** The path names the Provider too: it must be the entry's own. */
function refuseOtherPath({ provider }: ProviderContext, params: { uuid: string }, entry: EntryRecord) {
  if (provider.uuid !== params.uuid) throw notFound('Waiting list entry', entry.uuid)
}

async function refuseStranger({ db }: Service, provider: ProviderRow, reference: string, only: string[]) {
  const customer = await findCustomer(db, provider.id, reference)
  if (!customer || !(await isBookedAt(db, customer.id, only)))
    throw notFound('Customer', reference, 'customerReference')
}

/** The Resources that were named; for a practitioner some of theirs, or all of them if none was named. */
async function reached(
  { db }: Service,
  references: string[] | null | undefined,
  only: string[] | null,
  field = 'resourceReferences',
): Promise<string[] | null> {
  if (!only) return references ?? null
  const found = await Promise.all(only.map(uuid => findResourceByUuid(db, uuid)))
  const own = found.flatMap(one => one?.reference ?? [])
  const other = references?.find(one => !own.includes(one))
  if (other !== undefined) throw notFound('Resource', other, field)
  return references?.length ? references : own
}

export const consoleEntry = (entry: EntryRecord): Static<typeof ConsoleWaitingEntry> => ({
  ...waitingRecord(entry),
  customer: { uuid: entry.customerUuid, name: entry.customerName, email: entry.customerEmail },
  product: { uuid: entry.productUuid, name: entry.productName },
  resources: entry.resources?.map(({ uuid, name }) => ({ uuid, name })) ?? null,
  replacesStart: entry.replacesStart === null ? null : new Date(entry.replacesStart).toISOString(),
})
