import Type from 'typebox'
import { addEntry, changeEntry, leaveList } from '../../actions/scheduling/waiting/entries.ts'
import { offerByHand } from '../../actions/scheduling/waiting/offer-by-hand.ts'
import { type EntryRecord, entriesById, listLine } from '../../db/scheduling/waiting-entries.ts'
import { countWaitingFor } from '../../db/scheduling/waiting-line.ts'
import { listProducts } from '../../db/setup/products.ts'
import { invalidField } from '../../errors.ts'
import { minute } from '../../rules/offers/window.ts'
import { parseInstant } from '../../rules/time/time.ts'
import { asFreeSlot } from '../../rules/waiting/wish.ts'
import {
  asChange,
  entryOf,
  WaitingChange,
  WaitingInput,
  WaitingOfferInput,
  waitingProperties,
  waitingRecord,
} from '../scheduling/waiting-list.ts'
import { Moment, Uuid } from '../wire/fields.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { providerInPath, providerOfRow, resourceInPath } from './subjects.ts'

const Named = Type.Object({ uuid: Uuid, name: Type.String() })

const ConsoleWaitingEntry = Type.Object(
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
  access: { right: 'see-calendar', whose: providerInPath },
  tag: 'Console',
  summary: 'Who waits for what, the next one first',
  description: 'Open entries, up to 500.',
  replies: {
    200: Type.Object(
      { timeZone: Type.String(), entries: Type.Array(ConsoleWaitingEntry) },
      { title: 'ConsoleWaitingList' },
    ),
  },
  errors: ['not-found'],
  async handle({ service, found: provider }) {
    const entries = await listLine(service.db, provider.id, maxShown)
    return answer(200, { timeZone: provider.timeZone, entries: entries.map(consoleEntry) })
  },
})

export const addConsoleWaiting = consoleRoute({
  method: 'POST',
  path,
  operationId: 'addConsoleWaiting',
  access: { right: 'book', whose: providerInPath },
  tag: 'Console',
  summary: 'Add a Customer to the waiting list',
  description: 'Counts at once. The same wish of the same Customer returns the existing entry.',
  body: WaitingInput,
  replies: { 200: ConsoleWaitingEntry, 201: ConsoleWaitingEntry },
  errors: ['not-found', 'conflict'],
  async handle({ body, caller, service, found: provider }) {
    const { entry, created } = await addEntry({ service, actor: caller.actor, provider }, body)
    return answer(created ? 201 : 200, consoleEntry(entry))
  },
})

export const patchConsoleWaiting = consoleRoute({
  method: 'PATCH',
  path: `${path}/:entryUuid`,
  operationId: 'patchConsoleWaiting',
  access: { right: 'book', whose: providerInPath },
  tag: 'Console',
  summary: 'Change an entry of the waiting list',
  description: 'Changes only the fields that are sent, such as `priority` with its `priorityReason`.',
  body: WaitingChange,
  replies: { 200: ConsoleWaitingEntry },
  errors: ['not-found', 'conflict'],
  async handle({ params, body, caller, service, found: provider }) {
    const { uuid } = await entryOf(service, provider, params.entryUuid)
    return answer(
      200,
      consoleEntry(await changeEntry({ service, actor: caller.actor, provider }, uuid, asChange(body))),
    )
  },
})

export const endConsoleWaiting = consoleRoute({
  method: 'DELETE',
  path: `${path}/:entryUuid`,
  operationId: 'endConsoleWaiting',
  access: { right: 'book', whose: providerInPath },
  tag: 'Console',
  summary: 'Take a Customer off the waiting list',
  description: 'A time that is held for the Customer goes to the next in line.',
  replies: { 200: ConsoleWaitingEntry },
  errors: ['not-found'],
  async handle({ params, caller, service, found: provider }) {
    const { uuid } = await entryOf(service, provider, params.entryUuid)
    return answer(
      200,
      consoleEntry(await leaveList({ service, actor: caller.actor, provider }, uuid, 'staff')),
    )
  },
})

export const offerConsoleWaiting = consoleRoute({
  method: 'POST',
  path: `${path}/:entryUuid/offer`,
  operationId: 'offerConsoleWaiting',
  access: { right: 'book', whose: providerInPath },
  tag: 'Console',
  summary: 'Offer a free time to a Customer on the waiting list',
  description: 'Holds the time and emails the Customer out of turn.',
  body: WaitingOfferInput,
  replies: { 200: ConsoleWaitingEntry },
  errors: ['not-found', 'conflict'],
  async handle({ params, body, caller, service, found: provider }) {
    const { uuid, id } = await entryOf(service, provider, params.entryUuid)
    await offerByHand({ service, actor: caller.actor, provider }, uuid, body)
    return answer(200, consoleEntry((await entriesById(service.db, [id]))[0]!))
  },
})

export const countConsoleWaiting = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/waiting',
  operationId: 'countConsoleWaiting',
  access: { right: 'see-calendar', whose: resourceInPath },
  tag: 'Console',
  summary: 'How many people on the waiting list would take a time',
  description:
    'For a time of this Resource, whether it is free or not. People who have an open offer are not counted.',
  query: {
    start: Type.String({ maxLength: 64, description: 'Without an offset, the Provider’s local time.' }),
    end: Type.Optional(
      Type.String({ maxLength: 64, description: 'If omitted, the duration of each Product.' }),
    ),
  },
  replies: { 200: Type.Object({ count: Type.Number() }, { title: 'WaitingCount' }) },
  errors: ['not-found'],
  async handle({ query, service, found: resource }) {
    const provider = await providerOfRow(service, resource)
    const start = parseInstant(query.start, provider.timeZone)
    const end = query.end === undefined ? null : parseInstant(query.end, provider.timeZone)
    if (start === null) throw invalidField('start', 'start must be a date-time such as 2027-03-04T08:00.')
    if (query.end !== undefined && end === null)
      throw invalidField('end', 'end must be a date-time such as 2027-03-04T09:00.')
    const products = await listProducts(service.db, provider.id, { after: null, limit: null })
    const slots = products.map(({ id, minDuration }) =>
      asFreeSlot(
        {
          productId: id,
          resourceId: resource.id,
          start,
          end: start + Math.min((minDuration ?? 0) * minute || (end ?? start) - start, 86_400_000),
        },
        provider.timeZone,
      ),
    )
    const counts = await countWaitingFor(service.db, provider.id, slots)
    return answer(200, { count: counts.reduce((sum, one) => sum + one, 0) })
  },
})

const consoleEntry = (entry: EntryRecord) => ({
  ...waitingRecord(entry),
  customer: { uuid: entry.customerUuid, name: entry.customerName, email: entry.customerEmail },
  product: { uuid: entry.productUuid, name: entry.productName },
  resources: entry.resources?.map(({ uuid, name }) => ({ uuid, name })) ?? null,
  replacesStart: entry.replacesStart === null ? null : new Date(entry.replacesStart).toISOString(),
})
