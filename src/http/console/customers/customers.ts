import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { emailList } from '../../../actions/scheduling/customers/customer-list.ts'
import {
  createCustomer,
  deleteCustomer,
  updateCustomer,
} from '../../../actions/scheduling/customers/customers.ts'
import {
  countErasure,
  customerHistory,
  customerOrders,
  listTags as findTags,
  searchCustomers,
} from '../../../db/scheduling/customer-search.ts'
import { type CustomerRow, isParticipationOf } from '../../../db/scheduling/customers.ts'
import { seriesOfCustomer } from '../../../db/scheduling/series.ts'
import { entriesOfCustomer } from '../../../db/scheduling/waiting-entries.ts'
import { AnswersRecord, Attendance } from '../../../entities/appointment.ts'
import { customer } from '../../../entities/customer.ts'
import { countryOfZone } from '../../../rules/people/phones.ts'
import { isUuid } from '../../../rules/references.ts'
import { toUtcText } from '../../../rules/time/time.ts'
import type { Service } from '../../../service.ts'
import { SeriesRecord } from '../../scheduling/series.ts'
import { Choice, Moment, Uuid } from '../../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../../wire/if-match.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { seriesShown } from '../appointments/appointment-page.ts'
import { ConsoleWaitingEntry, consoleEntry } from '../appointments/waiting-list.ts'
import { customerInPath, isNamed, providerInPath } from '../subjects.ts'

const { reference: _, ...fields } = customer.inputs
const { updatedAt: _updatedAt, ...whole } = customer.outputs
const {
  note: _note,
  address: _address,
  insurer: _insurer,
  insuranceNumber: _number,
  fields: _own,
  ...brief
} = whole

const NextVisit = Type.Object(
  { appointmentUuid: Uuid, start: Moment, productName: Type.String(), resourceName: Type.String() },
  { title: 'NextVisit' },
)

const FoundCustomer = Type.Object({ ...brief, next: Nullable(NextVisit) }, { title: 'FoundCustomer' })

const HistoryLine = Type.Object(
  {
    participationUuid: Uuid,
    appointmentUuid: Uuid,
    start: Moment,
    end: Moment,
    state: Choice(['REQUESTED', 'BOOKED', 'CANCELED', 'DELETED', 'RESERVED']),
    attendance: Attendance,
    productName: Type.String(),
    resourceName: Type.String(),
    note: Nullable(Type.String()),
    answers: AnswersRecord,
  },
  { title: 'CustomerHistoryLine' },
)

const CustomerPage = Type.Object(
  {
    ...brief,
    ...whole,
    unconfirmed: Type.Array(Choice(['mobile']), {
      description:
        'Details that a booking with their address supplied. They are not used in other bookings until you confirm them by sending them.',
    }),
    erasureRequestedAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When the person asked on their own page to have their data erased.',
      }),
    ),
    provider: Uuid,
    history: Type.Array(HistoryLine),
    series: Type.Array(SeriesRecord, { description: 'The newest ten.' }),
    waitingFor: Type.Array(ConsoleWaitingEntry, { description: 'What they wait or waited for.' }),
  },
  { title: 'CustomerPage' },
)

const maxHistory = 200

export const findCustomers = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/customers',
  operationId: 'findCustomers',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true },
  summary: 'Search Customers',
  description:
    'Matches the start of any word of name, email, number or reference; a generated reference (`uuid@consumer`) must match in full. Without `search`, returns the newest.',
  query: {
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Search text.' })),
    tag: Type.Optional(Type.String({ maxLength: 50, description: 'Only Customers with this tag.' })),
    before: Type.Optional(
      Type.String({
        maxLength: 36,
        description:
          'Without `search` and `order`: only Customers added before the one with this uuid, for the next page.',
      }),
    ),
    order: Type.Optional(
      Choice(customerOrders, {
        description:
          '`name` and `-name`: by name, from A to Z or back. `email`: by address. `next`: those who come next first. Without it, the newest are first, and matches of `search` are by name.',
      }),
    ),
    limit: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 25,
      description: 'Maximum number of Customers.',
    }),
  },
  replies: { 200: Type.Object({ customers: Type.Array(FoundCustomer) }, { title: 'FoundCustomers' }) },
  async handle({ query, service, found: provider, only }) {
    const customers = await searchCustomers(
      service.db,
      provider.id,
      query.search ?? '',
      query.limit,
      countryOfZone(provider.timeZone),
      only,
      query.tag?.trim() || null,
      query.before && isUuid(query.before) ? query.before : null,
      query.order ?? null,
    )
    return {
      customers: customers.map(({ next, ...one }) => ({
        ...customer.record(one),
        next: next && { ...next, start: toUtcText(next.start) },
      })),
    }
  },
})

export const listTags = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/customer-tags',
  operationId: 'listCustomerTags',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true },
  summary: 'List the tags of Customers',
  description: 'The most frequent ones first, at most 200.',
  replies: { 200: Type.Object({ tags: Type.Array(Type.String()) }, { title: 'CustomerTags' }) },
  handle: async ({ service, found: provider, only }) => ({
    tags: await findTags(service.db, provider.id, only),
  }),
})

export const addCustomer = consoleRoute({
  method: 'POST',
  path: '/console/api/providers/:uuid/customers',
  operationId: 'addCustomer',
  access: { right: 'add-customers', whose: providerInPath },
  summary: 'Add a Customer',
  description: 'The service generates the reference.',
  body: Type.Object(fields, { title: 'NewCustomer' }),
  replies: { 201: CustomerPage },
  async handle({ body, service, found: provider, context }) {
    const input = { ...body, reference: `${randomUUID()}@console` }
    const made = await createCustomer(context, input)
    return pageOf(service, made.customer, provider.uuid)
  },
})

export const getCustomerPage = consoleRoute({
  method: 'GET',
  path: '/console/api/customers/:uuid',
  operationId: 'getCustomerPage',
  access: { right: 'see-calendar', whose: customerInPath },
  summary: 'Get a Customer with their history',
  query: {
    history: Type.Optional(Choice(['all'], { description: 'Includes all Appointments.' })),
  },
  description:
    'Includes the latest 200 Appointments, upcoming first, or all of them. The ETag covers the Customer only; `PATCH` accepts it as If-Match.',
  replies: { 200: CustomerPage },
  async handle({ query, service, reply, found, only, context }) {
    const { provider } = context
    withEtag(reply, customer.record(found))
    const limit = query.history === 'all' ? null : maxHistory
    return pageOf(service, found, provider.uuid, only, limit)
  },
})

export const patchCustomer = consoleRoute({
  method: 'PATCH',
  path: '/console/api/customers/:uuid',
  operationId: 'patchCustomer',
  access: { right: 'book', whose: customerInPath },
  summary: 'Change a Customer',
  description:
    'Changes only the fields that are sent; null clears an optional field. Upcoming bookings that had the same details are updated too.',
  headers: IfMatch,
  body: Type.Partial(Type.Object(fields), { title: 'CustomerPageChange' }),
  replies: { 200: CustomerPage },
  async handle({ body, service, request, reply, found, only, context }) {
    // Only editable fields count: a new booking is not a change of the Customer.
    const check = ifUnchanged(request, customer.record)
    const saved = await updateCustomer(context, found.reference, body, {
      check,
      inBookings: true,
    })
    withEtag(reply, customer.record(saved))
    return pageOf(service, saved, context.provider.uuid, only)
  },
})

export const sendCustomerList = consoleRoute({
  method: 'POST',
  path: '/console/api/customers/:uuid/appointments/email',
  operationId: 'emailCustomerAppointments',
  access: { right: 'book', whose: customerInPath },
  summary: 'Email a Customer their upcoming Appointments',
  description:
    'One email with all booked Appointments that are not over, at most 100, in the Customer’s language, with a link to each. Sends nothing if there are none or the Customer has no address. `/console/customer-list/{uuid}` shows the list for printing.',
  replies: {
    200: Type.Object(
      { appointments: Type.Integer({ description: 'How many are in the email; 0 if none was sent.' }) },
      { title: 'SentCustomerList' },
    ),
  },
  handle: async ({ found, only, context }) => ({ appointments: await emailList(context, found, only) }),
})

const Erasure = Type.Object(
  {
    participations: Type.Number({
      description: 'Bookings from which name, contact data and texts are erased.',
    }),
    future: Type.Number({ description: 'Upcoming bookings that are cancelled.' }),
    mails: Type.Number({ description: 'Emails whose content is erased.' }),
    messages: Type.Number({ description: 'Messages that are deleted.' }),
  },
  { title: 'Erasure' },
)

export const previewErasure = consoleRoute({
  method: 'GET',
  path: '/console/api/customers/:uuid/erasure',
  operationId: 'previewErasure',
  access: { right: 'manage', whose: customerInPath },
  summary: 'Preview the erasure of a Customer',
  description: 'For owners, managers and administrators. Changes nothing.',
  replies: { 200: Erasure },
  handle: ({ service, found: customer }) => countErasure(service.db, isParticipationOf(customer)),
})

export const eraseCustomerPage = consoleRoute({
  method: 'DELETE',
  path: '/console/api/customers/:uuid',
  operationId: 'eraseCustomer',
  access: { right: 'manage', whose: customerInPath },
  summary: 'Erase a Customer',
  description:
    'For owners, managers and administrators. Erases all personal data everywhere. Cancels upcoming bookings, with an email. Cannot be undone.',
  replies: { 204: null },
  handle: ({ found: customer, context }) => deleteCustomer(context, customer.reference, true),
})

async function pageOf(
  service: Service,
  row: CustomerRow,
  providerUuid: string,
  only: string[] | null = null,
  limit: number | null = maxHistory,
) {
  const { db } = service
  const history = await customerHistory(db, row.id, limit, only)
  const waiting = await entriesOfCustomer(db, row.id)
  return {
    ...customer.record(row),
    unconfirmed: row.unconfirmed as 'mobile'[],
    erasureRequestedAt: row.erasureRequestedAt === null ? null : toUtcText(row.erasureRequestedAt),
    provider: providerUuid,
    history: history.map(line => ({
      ...line,
      state: line.state as 'BOOKED',
      answers: line.answers ?? {},
      start: toUtcText(line.start),
      end: toUtcText(line.end),
    })),
    series: await seriesShown(service, row.providerId, await seriesOfCustomer(db, row.id), only),
    waitingFor: waiting.filter(one => !only || isNamed(one, only)).map(consoleEntry),
  }
}
